/* SPDX-License-Identifier: MIT */
/** @file
 * The C handshake of a plugin, checked before any C++ object crosses. It never changes shape, it
 * only grows at the end. */
#pragma once

#include <stdint.h>

#define OCTOSTORE_API_MAJOR 1
#define OCTOSTORE_API_MINOR 0

#ifdef __cplusplus
extern "C"
{
#endif

    /** All text is UTF-8 and static. Lists are separated by blanks; empty: none. */
    typedef struct octostore_plugin_descriptor
    {
        uint32_t struct_size; /**< sizeof of this struct as the plugin knows it */
        uint32_t api_major;   /**< must equal the server's */
        uint32_t api_minor;   /**< must not be above the server's */
        const char* abi_tag;  /**< compared whole, see plugin/Door.h */
        const char* id;       /**< the name in plugins.enabled */
        const char* version;
        const char* required;   /**< ids that must have started before */
        const char* provided;   /**< extension points, for people */
        const char* class_name; /**< of the plugin::Plugin in the Poco manifest */
    } octostore_plugin_descriptor;

    /** Without side effects; the symbol is `octostore_plugin_describe`. */
    /* NOLINTNEXTLINE(modernize-redundant-void-arg): C needs it */
    typedef const octostore_plugin_descriptor* (*octostore_plugin_describe_function)(void);

#ifdef __cplusplus
}
#endif
