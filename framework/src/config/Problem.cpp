// SPDX-License-Identifier: MIT
#include <octostore/config/Problem.h>

namespace octostore::config
{

std::string Problem::toString() const
{
    std::string text = place;
    if (line != 0)
        text += ":" + std::to_string(line);
    if (!key.empty())
        text += ": " + key;
    return text + ": " + message;
}

} // namespace octostore::config
