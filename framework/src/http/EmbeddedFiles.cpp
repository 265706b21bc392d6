// SPDX-License-Identifier: MIT
#include <octostore/base/Digest.h>
#include <octostore/base/Text.h>
#include <octostore/http/EmbeddedFiles.h>
#include <octostore/http/ErrorResponse.h>

#include <Poco/Exception.h>
#include <Poco/InflatingStream.h>
#include <Poco/MemoryStream.h>
#include <Poco/StreamCopier.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace octostore::http
{

namespace
{

struct KnownType
{
    std::string_view extension;
    std::string_view type;
};

constexpr KnownType knownTypes[] = {
    {"css", "text/css; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"ico", "image/x-icon"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"png", "image/png"},
    {"svg", "image/svg+xml"},
    {"txt", "text/plain; charset=utf-8"},
    {"webmanifest", "application/manifest+json"},
    {"woff2", "font/woff2"},
    {"yaml", "application/yaml"},
};

constexpr std::size_t hashBytes = 16;
constexpr std::size_t nameHashLength = 8;

bool hasHash(std::string_view name)
{
    const std::string_view stem = name.substr(0, name.rfind('.'));
    if (stem.size() <= nameHashLength || stem[stem.size() - nameHashLength - 1] != '-')
        return false;
    const std::string_view hash = stem.substr(stem.size() - nameHashLength);
    return std::all_of(hash.begin(), hash.end(),
                       [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); });
}

std::vector<std::string_view> elements(std::string_view list)
{
    std::vector<std::string_view> found;
    while (!list.empty())
    {
        const std::size_t comma = std::min(list.find(','), list.size());
        found.push_back(trim(list.substr(0, comma)));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return found;
}

/// `gzip` without a `;q=0` behind it.
bool takesGzip(const Request& request)
{
    const std::string* accepted = request.headers.find("accept-encoding");
    if (accepted == nullptr)
        return false;
    for (const std::string_view element : elements(*accepted))
    {
        const std::size_t semicolon = std::min(element.find(';'), element.size());
        if (!equalIgnoringCase(trim(element.substr(0, semicolon)), "gzip"))
            continue;
        const std::string_view weight = element.substr(semicolon);
        return weight.find_first_of("123456789") != std::string_view::npos || weight.empty();
    }
    return false;
}

bool isKnownTo(const Request& request, std::string_view etag)
{
    const std::string* known = request.headers.find("if-none-match");
    if (known == nullptr)
        return false;
    const std::vector<std::string_view> tags = elements(*known);
    return std::any_of(tags.begin(), tags.end(),
                       [&](std::string_view tag)
                       {
                           // A proxy that changed the coding made the tag a weak one.
                           if (tag.substr(0, 2) == "W/")
                               tag.remove_prefix(2);
                           return tag == "*" || tag == etag;
                       });
}

std::optional<std::string> inflate(std::string_view gzip)
{
    try
    {
        Poco::MemoryInputStream compressed(gzip.data(), static_cast<std::streamsize>(gzip.size()));
        Poco::InflatingInputStream inflating(compressed, Poco::InflatingStreamBuf::STREAM_GZIP);
        std::string text;
        Poco::StreamCopier::copyToString(inflating, text);
        return text;
    }
    catch (const Poco::Exception&)
    {
        return std::nullopt;
    }
}

} // namespace

EmbeddedFiles::EmbeddedFiles(const std::vector<EmbeddedFile>& files, std::string policy)
    : _policy(std::move(policy))
{
    for (const EmbeddedFile& file : files)
    {
        const Digest digest = sha256(file.gzip);
        _files.emplace(file.name, File{file.gzip, toHex(std::span(digest).first(hashBytes)),
                                       hasHash(file.name)});
    }
}

Response EmbeddedFiles::respond(const Request& request, std::string_view name) const
{
    const auto found = _files.find(name);
    if (found == _files.end())
        return errorResponse({ErrorCode::NotFound, "There is no such file."}, {});
    const File& file = found->second;
    const bool gzip = takesGzip(request);
    // Two codings are two representations, and a strong tag tells them apart.
    const std::string etag = '"' + file.hash + (gzip ? "-gzip\"" : "\"");

    Response response;
    response.headers.add("etag", etag);
    response.headers.add("cache-control",
                         file.forEver ? "public, max-age=31536000, immutable" : "no-cache");
    response.headers.add("vary", "accept-encoding");
    response.headers.add("content-security-policy", _policy);
    response.headers.add("x-content-type-options", "nosniff");
    response.headers.add("referrer-policy", "no-referrer");
    if (isKnownTo(request, etag))
    {
        response.status = 304;
        return response;
    }
    response.headers.add("content-type", std::string(contentType(name)));
    if (gzip)
    {
        response.headers.add("content-encoding", "gzip");
        response.body = file.gzip;
        return response;
    }
    std::optional<std::string> text = inflate(file.gzip);
    if (!text)
        return errorResponse({ErrorCode::Internal, {}}, {});
    response.body = *std::move(text);
    return response;
}

std::vector<Route> EmbeddedFiles::routes(std::string_view prefix) const
{
    std::vector<Route> all;
    all.reserve(_files.size());
    for (const auto& [name, file] : _files)
        all.push_back(route(std::string(prefix) + name, name));
    return all;
}

Route EmbeddedFiles::route(std::string pattern, std::string_view name) const
{
    Route made;
    made.pattern = std::move(pattern);
    made.handler = [this, name = std::string(name)](const ExchangePtr& exchange)
    { exchange->respond(respond(exchange->request(), name)); };
    return made;
}

std::string_view EmbeddedFiles::contentType(std::string_view name) noexcept
{
    const std::size_t dot = name.rfind('.');
    const std::string_view extension =
        dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
    for (const KnownType& known : knownTypes)
    {
        if (known.extension == extension)
            return known.type;
    }
    return "application/octet-stream";
}

} // namespace octostore::http
