// SPDX-License-Identifier: MIT
#include <octostore/client/EventStreamReader.h>

#include <charconv>
#include <cstdint>

namespace octostore::client
{

namespace
{

/// A server that says more than this is not believed.
constexpr std::int64_t retryMaxMilliseconds = 300'000;

} // namespace

std::optional<std::vector<StreamEvent>> EventStreamReader::push(std::string_view bytes)
{
    std::vector<StreamEvent> events;
    for (const char c : bytes)
    {
        if (++_frameSize > frameMax)
            return std::nullopt;
        if (c != '\n')
        {
            _line += c;
            continue;
        }
        if (!_line.empty() && _line.back() == '\r')
            _line.pop_back();
        takeLine(_line, events);
        _line.clear();
    }
    return events;
}

void EventStreamReader::restart()
{
    _line.clear();
    _current = {};
    _hasData = false;
    _frameSize = 0;
}

void EventStreamReader::takeLine(std::string_view line, std::vector<StreamEvent>& events)
{
    if (line.empty())
    {
        if (_hasData || !_current.name.empty())
            events.push_back(std::move(_current));
        _current = {};
        _hasData = false;
        _frameSize = 0;
        return;
    }
    if (line.front() == ':') // a comment keeps the connection alive
        return;
    const std::size_t colon = line.find(':');
    std::string_view value =
        colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
    if (!value.empty() && value.front() == ' ')
        value.remove_prefix(1);
    takeField(line.substr(0, colon), value);
}

void EventStreamReader::takeField(std::string_view field, std::string_view value)
{
    if (field == "event")
        _current.name = std::string(value);
    else if (field == "data")
    {
        if (_hasData)
            _current.data += '\n';
        _current.data += value;
        _hasData = true;
    }
    else if (field == "id" && value.find('\0') == std::string_view::npos)
        _lastEventId = std::string(value);
    else if (field == "retry")
    {
        std::int64_t number = 0;
        const char* const end = value.data() + value.size();
        const auto [rest, fault] = std::from_chars(value.data(), end, number);
        if (fault == std::errc() && rest == end && number >= 0 && number <= retryMaxMilliseconds)
            _retry = Milliseconds(number);
    }
}

} // namespace octostore::client
