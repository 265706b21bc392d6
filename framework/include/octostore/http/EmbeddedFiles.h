// SPDX-License-Identifier: MIT
/// @file
/// Serves files that were built into a plugin (octostore_embed_files() in CMake).
#pragma once

#include <octostore/base/Api.h>
#include <octostore/http/Message.h>
#include <octostore/http/Route.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::http
{

/// One file as it lies in the plugin. Static.
struct EmbeddedFile
{
    std::string_view name; ///< relative, with `/`: `assets/main.js`
    std::string_view gzip; ///< its content, compressed
};

/// Answers GET with the compressed bytes, or inflates them for the rare client that takes no gzip;
/// 304 to an `If-None-Match` that fits. Every answer has `nosniff`, `no-referrer` and the policy.
/// The strong ETag is the hash of the content. A name with a hash in it (`main-4QX2ZC7A.js`: a dash
/// and 8 capital letters or digits before the last dot) may be cached for ever, all others must be
/// asked for again.
/// Thread-safety: immutable.
class OCTOSTORE_API EmbeddedFiles
{
public:
    /// Own scripts, styles, images and requests; nothing from anywhere else, nothing inline.
    static constexpr std::string_view strictPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    explicit EmbeddedFiles(const std::vector<EmbeddedFile>& files,
                           std::string policy = std::string(strictPolicy));

    /// 200, 304, or 404 when there is no file of this name.
    Response respond(const Request& request, std::string_view name) const;
    /// A public route `prefix` + name for each file: with `/docs/`, `GET /docs/init.js`. This
    /// object must outlive the routes.
    std::vector<Route> routes(std::string_view prefix) const;
    /// A public route that answers with this file.
    Route route(std::string pattern, std::string_view name) const;

    /// The content type by the extension of the name.
    static std::string_view contentType(std::string_view name) noexcept;

private:
    struct File
    {
        std::string_view gzip;
        std::string hash;
        bool forEver = false;
    };

    const std::string _policy;
    std::map<std::string, File, std::less<>> _files;
};

} // namespace octostore::http
