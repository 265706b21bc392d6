// SPDX-License-Identifier: MIT
/// @file
/// One plugin's shared library: the checks before it is trusted, and the way to its object.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>
#include <octostore/plugin/Plugin.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::plugin
{

/// What a plugin says of itself before any of its C++ is used.
struct Descriptor
{
    std::uint32_t apiMajor = 0;
    std::uint32_t apiMinor = 0;
    std::string abiTag;
    std::string id;
    std::string version;
    std::vector<std::string> required;
    std::string provided;
    std::string className;
};

/// A loaded library stays loaded for the life of the process: code that ran may have left threads,
/// destructors or pointers behind. Thread-safety: thread-compatible.
class OCTOSTORE_API PluginLibrary
{
public:
    /// Loads `file` and reads its descriptor. Errors: Configuration, one line that says why: the
    /// file is missing, others may write it or its directory, it does not link, or it is no plugin.
    static Result<std::unique_ptr<PluginLibrary>> open(const std::string& file);

    const Descriptor& descriptor() const noexcept { return _descriptor; }
    /// Whether its C++ objects may cross. Errors: Configuration, what differs.
    Result<void> compatible() const;
    /// Whether `file` has the name of this plugin: `health.so` is health. Errors: Configuration.
    Result<void> isNamedLike(const std::string& file) const;
    /// Makes the plugin's object; call it only when compatible(). Errors: Configuration (the
    /// manifest does not have the class), Internal (the constructor threw).
    Result<std::unique_ptr<Plugin>> make() const;

private:
    PluginLibrary(void* handle, Descriptor descriptor);

    void* _handle;
    Descriptor _descriptor;
};

/// `/usr/lib/octostore/<name>.so`; the name is checked. Errors: Configuration.
OCTOSTORE_API Result<std::string> pluginFile(std::string_view directory, std::string_view name);

} // namespace octostore::plugin
