// SPDX-License-Identifier: MIT
/// @file
/// Serves the console at /admin/.
#pragma once

#include <octostore/plugin/FilesPlugin.h>

#include <vector>

namespace octostore::admin_ui
{

/// The page is public and holds nothing: what it shows comes from the API, with the credential its
/// user types in.
/// Thread-safety: as its base.
class AdminUiPlugin final : public plugin::FilesPlugin
{
public:
    AdminUiPlugin();
    std::vector<http::Route> routes() override;
};

} // namespace octostore::admin_ui
