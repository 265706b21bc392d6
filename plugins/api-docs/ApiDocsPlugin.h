// SPDX-License-Identifier: MIT
/// @file
/// Serves the description of the API, the page to try it on, and the page at `/`.
#pragma once

#include <octostore/plugin/FilesPlugin.h>

namespace octostore::api_docs
{

/// Thread-safety: as its base.
class ApiDocsPlugin final : public plugin::FilesPlugin
{
public:
    ApiDocsPlugin();
};

} // namespace octostore::api_docs
