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
    : _options(options), _chunks(options.bodyMax, options.headMax)
{
}

std::size_t RequestReader::feed(std::string_view bytes)
{
    std::size_t taken = 0;
    while (taken < bytes.size() && !complete())
    {
        const std::string_view rest = bytes.substr(taken);
        switch (_state)
        {
        case State::Head:
            taken += feedHead(rest);
            break;
        case State::Length:
            taken += feedLength(rest);
            break;
        case State::Chunks:
            taken += feedChunks(rest);
            break;
        case State::Complete:
            break;
        }
    }
    return taken;
}

std::size_t RequestReader::feedHead(std::string_view bytes)
{
    // Old clients end a body with a line end that is not counted.
    if (_head.empty() && (bytes.front() == '\r' || bytes.front() == '\n') && !_started)
        return 1;
    _started = true;
    const std::size_t before = _head.size();
    _head.append(bytes);
    const auto length = http::findHead(_head, http::HeadLimits::of(_options));
    if (!length)
    {
        fail(length.error());
        return bytes.size();
    }
    if (*length == 0)
        return bytes.size();
    readHead(std::string_view(_head).substr(0, *length));
    return *length - before;
}

/// findHead() has seen to it that every line is `name: value` and the first has two blanks.
void RequestReader::readHead(std::string_view head)
{
    std::string_view line = cut(head, "\r\n");
    const std::string_view method = cut(line, " ");
    const std::string_view target = cut(line, " ");
    _request.method = http::parseMethod(method);
    _request.target = target;
    for (std::string_view field = cut(head, "\r\n"); !field.empty(); field = cut(head, "\r\n"))
    {
        const std::string_view name = cut(field, ":");
        _request.headers.add(std::string(name), std::string(trim(field)));
    }

    const auto framing =
        http::checkHead(method, target, line, _request.headers, http::HeadLimits::of(_options));
    if (!framing)
        return fail(framing.error());
    _framing = *framing;
    if (_framing.contentLength > _options.bodyMax)
    {
        return fail({ErrorCode::PayloadTooLarge,
                     "The body is longer than " + std::to_string(_options.bodyMax) + " bytes."});
    }
    _request.body.reserve(_framing.contentLength);
    _state = _framing.chunked ? State::Chunks
                              : (_framing.contentLength > 0 ? State::Length : State::Complete);
}

std::size_t RequestReader::feedLength(std::string_view bytes)
{
    const std::size_t count =
        std::min<std::size_t>(bytes.size(), _framing.contentLength - _request.body.size());
    _request.body.append(bytes.substr(0, count));
    if (_request.body.size() == _framing.contentLength)
        _state = State::Complete;
    return count;
}

std::size_t RequestReader::feedChunks(std::string_view bytes)
{
    const auto taken = _chunks.feed(bytes, _request.body);
    if (!taken)
    {
        fail(taken.error());
        return bytes.size();
    }
    if (_chunks.done())
        _state = State::Complete;
    return *taken;
}

bool RequestReader::takeContinue() noexcept
{
    const bool waits = _state == State::Length || _state == State::Chunks;
    return waits && _request.body.empty() && std::exchange(_framing.expectsContinue, false);
}

void RequestReader::fail(Error error)
{
    _request.fault = std::move(error);
    _framing.keepAlive = false;
    _state = State::Complete;
}

} // namespace octostore::http_poco
