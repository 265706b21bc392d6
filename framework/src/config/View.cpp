// SPDX-License-Identifier: MIT
#include <octostore/config/Config.h>

namespace octostore::config
{

View::~View() = default;

std::vector<std::string> View::names(std::string_view /*family*/) const
{
    return {};
}

} // namespace octostore::config
