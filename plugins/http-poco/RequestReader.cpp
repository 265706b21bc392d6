// SPDX-License-Identifier: MIT
#include "RequestReader.h"

#include <octostore/base/Text.h>

#include <algorithm>
#include <utility>

namespace octostore::http_poco
{

namespace
{

/// Up to the next `end`, which is removed too.
std::string_view cut(std::string_view& text, std::string_view end)
{
    const std::size_t at = std::min(text.find(end), text.size());
    const std::string_view part = text.substr(0, at);
    text.remove_prefix(std::min(at + end.size(), text.size()));
    return part;
}

} // namespace

RequestReader::RequestReader(const http::TransportOptions& options)
    : http::RequestReader(options), _chunks(options.bodyMax, options.headMax)
{
}

/// findHead() has seen to it that every line is `name: value` and the first has two blanks.
Result<RequestReader::StartLine> RequestReader::parseHead(std::string_view head)
{
    std::string_view line = cut(head, "\r\n");
    const std::string_view method = cut(line, " ");
    request().method = http::parseMethod(method);
    request().target = cut(line, " ");
    for (std::string_view field = cut(head, "\r\n"); !field.empty(); field = cut(head, "\r\n"))
    {
        const std::string_view name = cut(field, ":");
        request().headers.add(std::string(name), std::string(trim(field)));
    }
    return StartLine{std::string(method), std::string(line)};
}

std::size_t RequestReader::feedLength(std::string_view bytes)
{
    const std::size_t count =
        std::min<std::size_t>(bytes.size(), framing().contentLength - request().body.size());
    request().body.append(bytes.substr(0, count));
    if (request().body.size() == framing().contentLength)
        bodyDone();
    return count;
}

std::size_t RequestReader::feedChunks(std::string_view bytes)
{
    const auto taken = _chunks.feed(bytes, request().body);
    if (!taken)
    {
        fail(taken.error());
        return bytes.size();
    }
    if (_chunks.done())
        bodyDone();
    return *taken;
}

} // namespace octostore::http_poco
