// SPDX-License-Identifier: MIT
#include <octostore/http/RequestReader.h>

namespace octostore::http
{

RequestReader::~RequestReader() = default;

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
    if (!_started && (bytes.front() == '\r' || bytes.front() == '\n'))
        return 1;
    _started = true;
    const std::size_t before = _head.size();
    if (before > 0)
        _head.append(bytes);
    const std::string_view head = before > 0 ? std::string_view(_head) : bytes;
    const auto length = findHead(head, HeadLimits::of(_options));
    if (!length)
    {
        fail(length.error());
        return bytes.size();
    }
    if (*length == 0)
    {
        if (before == 0)
            _head.assign(bytes);
        return bytes.size();
    }
    readHead(head.substr(0, *length));
    _head.clear();
    return *length - before;
}

void RequestReader::readHead(std::string_view head)
{
    const auto line = parseHead(head);
    if (!line)
        return fail(line.error());
    const auto framing = checkHead(line->method, _request.target, line->version, _request.headers,
                                   HeadLimits::of(_options));
    if (!framing)
        return fail(framing.error());
    _framing = *framing;
    if (_framing.contentLength > _options.bodyMax)
        return fail(bodyTooLong());
    _request.body.reserve(_framing.contentLength);
    _state = _framing.chunked ? State::Chunks
                              : (_framing.contentLength > 0 ? State::Length : State::Complete);
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

Error RequestReader::bodyTooLong() const
{
    return {ErrorCode::PayloadTooLarge,
            "The body is longer than " + std::to_string(_options.bodyMax) + " bytes."};
}

} // namespace octostore::http
