// SPDX-License-Identifier: MIT
/// @file
/// Which plugins a configuration names, and where they lie.
#pragma once

#include <octostore/config/Config.h>

#include <string>
#include <vector>

namespace octostore::program
{

struct PluginNames
{
    std::string backend;             ///< `backend-sqlite` for storage.backend = sqlite
    std::string transport;           ///< `http-poco` for http.transport = poco
    std::vector<std::string> others; ///< plugins.enabled, each once
    /// Backend, transport and plugins.required.
    std::vector<std::string> required;

    static PluginNames of(const config::View& configuration);
    /// The transport first, so that it stops last.
    std::vector<std::string> behindTheEngine() const;
};

/// plugins.directory, else lib/octostore beside the directory of the program itself.
std::string pluginDirectory(const config::View& configuration);

} // namespace octostore::program
