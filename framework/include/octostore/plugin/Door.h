// SPDX-License-Identifier: MIT
/// @file
/// The door of a plugin, used once, in the Module.cpp of each:
///     OCTOSTORE_PLUGIN(octostore::auth::StaticAuthPlugin, "auth-static", "1.0.0", "",
///     "auth.provider/1")
#pragma once

#include <octostore/plugin/Abi.h>
#include <octostore/plugin/AbiTag.h>
#include <octostore/plugin/Plugin.h>

#include <Poco/ClassLibrary.h>

// Hidden visibility is the default of modules; the loader needs exactly these two symbols.
#define OCTOSTORE_PLUGIN(PluginClass, pluginId, pluginVersion, requiredIds, providedPoints)        \
    extern "C" __attribute__((visibility("default"))) const octostore_plugin_descriptor*           \
    octostore_plugin_describe(void);                                                               \
    const octostore_plugin_descriptor* octostore_plugin_describe(void)                             \
    {                                                                                              \
        static const octostore_plugin_descriptor descriptor = {                                    \
            sizeof(octostore_plugin_descriptor),                                                   \
            OCTOSTORE_API_MAJOR,                                                                   \
            OCTOSTORE_API_MINOR,                                                                   \
            OCTOSTORE_ABI_TAG,                                                                     \
            pluginId,                                                                              \
            pluginVersion,                                                                         \
            requiredIds,                                                                           \
            providedPoints,                                                                        \
            #PluginClass};                                                                         \
        return &descriptor;                                                                        \
    }                                                                                              \
    extern "C" __attribute__((visibility("default"))) bool pocoBuildManifest(                      \
        Poco::ManifestBase* base);                                                                 \
    POCO_BEGIN_MANIFEST(octostore::plugin::Plugin)                                                 \
    POCO_EXPORT_CLASS(PluginClass)                                                                 \
    POCO_END_MANIFEST
