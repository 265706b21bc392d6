// SPDX-License-Identifier: MIT
#include "plugin/PluginLibrary.h"

#include "plugin/Guarded.h"

#include <octostore/base/ErrnoText.h>
#include <octostore/plugin/Abi.h>
#include <octostore/plugin/AbiTag.h>

#include <Poco/Manifest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

namespace octostore::plugin
{

namespace
{

Error refused(std::string reason)
{
    return {ErrorCode::Configuration, std::move(reason)};
}

// What a dlopen()ed file does cannot be undone, so whoever may write it may do all we can.
Result<void> checkWriters(const std::string& path, bool isFile)
{
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0)
        return refused(path + ": " + errnoText(errno));
    if (isFile && !S_ISREG(status.st_mode))
        return refused(path + ": not a regular file");
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return refused(path + ": group or others may write it; chmod go-w it");
    if (status.st_uid != 0 && status.st_uid != geteuid())
        return refused(path + ": belongs to neither root nor the user of this server");
    return {};
}

Result<void> checkFile(const std::string& file)
{
    namespace fs = std::filesystem;
    if (auto checked = checkWriters(file, true); !checked)
        return checked;
    // Who may write a directory may put another file in the place of one that is safe; where the
    // file is a link, that goes for the directory of what it leads to as well.
    std::error_code failed;
    const fs::path named = fs::absolute(file, failed);
    const fs::path real = failed ? fs::path() : fs::canonical(named, failed);
    if (failed)
        return refused(file + ": " + failed.message());
    auto checked = checkWriters(named.parent_path().string(), false);
    return checked ? checkWriters(real.parent_path().string(), false) : checked;
}

std::vector<std::string> splitBlanks(const char* text)
{
    std::istringstream words(text);
    std::vector<std::string> found;
    for (std::string word; words >> word;)
        found.push_back(word);
    return found;
}

Result<Descriptor> readDescriptor(const std::string& file, const octostore_plugin_descriptor* raw)
{
    if (raw == nullptr || raw->struct_size < sizeof(octostore_plugin_descriptor))
        return refused(file + ": its descriptor is too short for this server");
    for (const char* text :
         {raw->abi_tag, raw->id, raw->version, raw->required, raw->provided, raw->class_name})
    {
        if (text == nullptr)
            return refused(file + ": its descriptor has a field without a value");
    }
    return Descriptor{raw->api_major, raw->api_minor, raw->abi_tag,
                      raw->id,        raw->version,   splitBlanks(raw->required),
                      raw->provided,  raw->class_name};
}

} // namespace

PluginLibrary::PluginLibrary(void* handle, Descriptor descriptor)
    : _handle(handle), _descriptor(std::move(descriptor))
{
}

Result<std::unique_ptr<PluginLibrary>> PluginLibrary::open(const std::string& file)
{
    if (auto checked = checkFile(file); !checked)
        return checked.error();
    // RTLD_NOW: a missing symbol is refused here, not found at the first call. RTLD_LOCAL: two
    // plugins cannot take each other's symbols for their own.
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr)
        return refused(std::string("cannot be loaded: ") +
                       dlerror()); // NOLINT(concurrency-mt-unsafe)
    const auto describe = reinterpret_cast<octostore_plugin_describe_function>(
        dlsym(handle, "octostore_plugin_describe"));
    if (describe == nullptr)
        return refused(file + ": not a plugin of OctoStore (no octostore_plugin_describe)");
    auto descriptor = guarded([&] { return readDescriptor(file, describe()); });
    if (!descriptor)
        return descriptor.error();
    return std::unique_ptr<PluginLibrary>(new PluginLibrary(handle, *std::move(descriptor)));
}

Result<void> PluginLibrary::compatible() const
{
    const std::string ours =
        std::to_string(OCTOSTORE_API_MAJOR) + "." + std::to_string(OCTOSTORE_API_MINOR);
    if (_descriptor.apiMajor != OCTOSTORE_API_MAJOR || _descriptor.apiMinor > OCTOSTORE_API_MINOR)
    {
        return refused("built for API " + std::to_string(_descriptor.apiMajor) + "." +
                       std::to_string(_descriptor.apiMinor) + ", this server has " + ours);
    }
    if (_descriptor.abiTag != OCTOSTORE_ABI_TAG)
        return refused("built as \"" + _descriptor.abiTag + "\", this server is \"" +
                       OCTOSTORE_ABI_TAG + "\"");
    return {};
}

Result<void> PluginLibrary::isNamedLike(const std::string& file) const
{
    const std::string name = std::filesystem::path(file).stem().string();
    if (_descriptor.id == name)
        return {};
    return refused(file + " is the plugin \"" + _descriptor.id + "\", not \"" + name + "\"");
}

Result<std::unique_ptr<Plugin>> PluginLibrary::make() const
{
    using Manifest = Poco::Manifest<Plugin>;
    using Build = bool (*)(Poco::ManifestBase*);
    const auto build = reinterpret_cast<Build>(dlsym(_handle, "pocoBuildManifest"));
    if (build == nullptr)
        return refused("has no manifest (no pocoBuildManifest)");
    return guarded(
        [&]() -> Result<std::unique_ptr<Plugin>>
        {
            Manifest manifest;
            if (!build(&manifest))
                return refused("its manifest is for another base class");
            const auto found = manifest.find(_descriptor.className);
            if (found == manifest.end())
                return refused("its manifest has no class " + _descriptor.className);
            return std::unique_ptr<Plugin>(found->create());
        });
}

Result<std::string> pluginFile(std::string_view directory, std::string_view name)
{
    const bool plain = !name.empty() && std::all_of(name.begin(), name.end(),
                                                    [](char c) {
                                                        return (c >= 'a' && c <= 'z') ||
                                                               (c >= '0' && c <= '9') || c == '-';
                                                    });
    if (!plain)
        return refused("\"" + std::string(name) +
                       "\" is no plugin name: use a-z, 0-9 and -, without a path");
    return std::string(directory) + "/" + std::string(name) + ".so";
}

} // namespace octostore::plugin
