// SPDX-License-Identifier: MIT
#include "ChunkedBody.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace octostore::http_poco
{

namespace
{

Error malformed()
{
    return {ErrorCode::Malformed, "The chunked body is malformed."};
}

bool isControl(char c)
{
    return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7f';
}

} // namespace

Result<std::size_t> ChunkedBody::feed(std::string_view bytes, std::string& body)
{
    const std::size_t offered = bytes.size();
    while (!bytes.empty() && !done())
    {
        if (_state == State::Data)
        {
            takeData(bytes, body);
            continue;
        }
        const auto whole = takeLine(bytes);
        if (!whole)
            return whole.error();
        if (!*whole)
            break;
        if (auto taken = endOfLine(body.size()); !taken)
            return taken.error();
        _line.clear();
    }
    return offered - bytes.size();
}

/// Moves bytes up to CRLF into `_line`; true when the line is whole.
Result<bool> ChunkedBody::takeLine(std::string_view& bytes)
{
    const std::size_t before = _line.size();
    const std::size_t newline = std::min(bytes.find('\n'), bytes.size() - 1);
    _line.append(bytes.substr(0, newline + 1));
    bytes.remove_prefix(newline + 1);
    _trailers += _state == State::Trailers ? _line.size() - before : 0;
    if (_line.size() > _linesMax || _trailers > _linesMax)
        return malformed();

    const bool whole = _line.back() == '\n';
    std::string_view text = _line;
    if (whole && (text.size() < 2 || text[text.size() - 2] != '\r'))
        return malformed();
    // A CR may stand only where the line ends or where its LF can still come.
    text.remove_suffix(whole ? 2 : (text.back() == '\r' ? 1 : 0));
    if (std::any_of(text.begin(), text.end(), isControl) ||
        (_state == State::DataEnd && !text.empty()))
        return malformed();
    if (whole)
        _line.resize(_line.size() - 2);
    return whole;
}

Result<void> ChunkedBody::endOfLine(std::size_t bodySize)
{
    switch (_state)
    {
    case State::Size:
        return takeSize(bodySize);
    case State::DataEnd:
        _state = State::Size;
        return {};
    case State::Trailers:
        if (_line.empty())
            _state = State::Done;
        return {};
    case State::Data:
    case State::Done:
        break;
    }
    return {};
}

Result<void> ChunkedBody::takeSize(std::size_t bodySize)
{
    std::uint64_t size = 0;
    const char* end = _line.data() + _line.size();
    const auto [stop, failure] = std::from_chars(_line.data(), end, size, 16);
    if (failure != std::errc() || (stop != end && *stop != ';'))
        return malformed();
    if (size > _bodyMax - std::min(bodySize, _bodyMax))
        return Error{ErrorCode::PayloadTooLarge,
                     "The body is longer than " + std::to_string(_bodyMax) + " bytes."};
    _left = size;
    _state = size == 0 ? State::Trailers : State::Data;
    return {};
}

void ChunkedBody::takeData(std::string_view& bytes, std::string& body)
{
    const std::size_t count = std::min(_left, bytes.size());
    body.append(bytes.substr(0, count));
    bytes.remove_prefix(count);
    _left -= count;
    if (_left == 0)
        _state = State::DataEnd;
}

} // namespace octostore::http_poco
