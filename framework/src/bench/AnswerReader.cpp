// SPDX-License-Identifier: MIT
#include <octostore/base/Text.h>
#include <octostore/bench/AnswerReader.h>

#include <charconv>

namespace octostore::bench
{

namespace
{

constexpr std::string_view headEnd = "\r\n\r\n";
constexpr std::string_view lineEnd = "\r\n";

std::optional<std::size_t> number(std::string_view text, int base)
{
    std::size_t value = 0;
    const char* last = text.data() + text.size();
    const auto [end, fault] = std::from_chars(text.data(), last, value, base);
    if (fault != std::errc() || end == text.data())
        return std::nullopt;
    return value;
}

} // namespace

char* AnswerReader::room(std::size_t size)
{
    if (_begin == _end)
        _begin = _end = 0;
    if (_bytes.size() - _end < size)
    {
        _bytes.erase(0, _begin);
        _end -= _begin;
        _begin = 0;
        if (_bytes.size() - _end < size)
            _bytes.resize(_end + size);
    }
    return _bytes.data() + _end;
}

void AnswerReader::reset() noexcept
{
    _begin = _end = _head = 0;
    _broken = false;
}

std::optional<Answer> AnswerReader::take()
{
    const std::string_view text(_bytes.data() + _begin, _end - _begin);
    if (_broken || (_head == 0 && !readHead(text)))
        return std::nullopt;
    const std::string_view body = text.substr(_head);
    if (_chunked)
        return takeChunked(body);
    if (body.size() < _length)
        return std::nullopt;
    _begin += _head + _length;
    _head = 0;
    return Answer{_status, body.substr(0, _length), _close};
}

bool AnswerReader::readHead(std::string_view text)
{
    constexpr std::size_t statusAt = std::string_view("HTTP/1.1 ").size();
    const std::size_t end = text.find(headEnd);
    if (end == std::string_view::npos)
        return false;
    const auto status = end < statusAt ? std::nullopt : number(text.substr(statusAt, 3), 10);
    _broken = text.substr(0, 7) != "HTTP/1." || !status;
    _status = static_cast<int>(status.value_or(0));
    _length = 0;
    _chunked = false;
    _close = false;
    std::size_t line = text.find(lineEnd) + lineEnd.size();
    while (line < end + lineEnd.size())
    {
        const std::size_t stop = text.find(lineEnd, line);
        const std::string_view field = text.substr(line, stop - line);
        const std::size_t colon = field.find(':');
        const std::string_view name = field.substr(0, colon);
        const std::string_view value =
            colon == std::string_view::npos ? std::string_view() : trim(field.substr(colon + 1));
        if (equalIgnoringCase(name, "content-length"))
        {
            const auto length = number(value, 10);
            _broken = _broken || !length;
            _length = length.value_or(0);
        }
        else if (equalIgnoringCase(name, "transfer-encoding"))
            _chunked = true;
        else if (equalIgnoringCase(name, "connection"))
            _close = equalIgnoringCase(value, "close");
        line = stop + lineEnd.size();
    }
    _head = end + headEnd.size();
    return !_broken;
}

std::optional<Answer> AnswerReader::takeChunked(std::string_view body)
{
    _joined.clear();
    std::size_t at = 0;
    for (;;)
    {
        const std::size_t end = body.find(lineEnd, at);
        if (end == std::string_view::npos)
            return std::nullopt;
        const auto size = number(body.substr(at, end - at), 16);
        if (!size)
        {
            _broken = true;
            return std::nullopt;
        }
        at = end + lineEnd.size();
        if (body.size() < at + *size + lineEnd.size())
            return std::nullopt;
        _joined += body.substr(at, *size);
        at += *size + lineEnd.size();
        if (*size == 0)
            break;
    }
    _begin += _head + at;
    _head = 0;
    return Answer{_status, _joined, _close};
}

} // namespace octostore::bench
