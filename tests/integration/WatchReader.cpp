// SPDX-License-Identifier: MIT
#include "WatchReader.h"

#include <algorithm>
#include <utility>

namespace octostore::test
{

namespace
{

/// So long that only a hanging server is found by it.
constexpr std::chrono::seconds patience{100};

} // namespace

WatchReader::WatchReader(std::string target, std::string_view token, std::string_view lastEventId)
    : _target(std::move(target)),
      _authorization(token.empty() ? std::string()
                                   : "Authorization: Bearer " + std::string(token) + "\r\n")
{
    if (!lastEventId.empty())
        _events.push("id: " + std::string(lastEventId) + "\n\n");
}

int WatchReader::connect(std::uint16_t port)
{
    _client = std::make_unique<HttpClient>(port);
    _client->patience = patience;
    _client->noted = true;
    _events.restart();
    std::string headers = _authorization + "Accept: text/event-stream\r\n";
    if (!lastEventId().empty())
        headers += "Last-Event-ID: " + lastEventId() + "\r\n";
    if (!_client->get(_target, headers))
        return 0;
    const auto head = _client->receiveHead();
    return head ? head->status : 0;
}

void WatchReader::cut()
{
    _client.reset();
}

bool WatchReader::read(std::chrono::milliseconds time)
{
    // Once something has come the whole chunk is waited for.
    if (_client->silentFor(time))
        return false;
    const auto chunk = _client->readChunk();
    if (!chunk || chunk->empty())
        return false;
    take(*chunk);
    return true;
}

bool WatchReader::readToEnd()
{
    while (const auto chunk = _client->readChunk())
    {
        if (chunk->empty())
            return true;
        take(*chunk);
    }
    return false;
}

bool WatchReader::readUntilId(const std::string& id)
{
    while (lastEventId() != id)
        if (!read(patience))
            return false;
    return true;
}

/// One frame is one chunk.
void WatchReader::take(const std::string& chunk)
{
    _text += chunk;
    const auto frames = _events.push(chunk);
    if (!frames)
        return;
    const bool reset = std::any_of(frames->begin(), frames->end(),
                                   [](const auto& frame) { return frame.name == "reset"; });
    const bool snapshot =
        std::any_of(frames->begin(), frames->end(),
                    [](const auto& frame)
                    { return frame.data.find("\"snapshot\":true") != std::string::npos; });
    _reset = _reset || reset;
    if (chunk.find("id: ") == std::string::npos)
        return;
    if (!snapshot)
        _ids.push_back(lastEventId());
}

} // namespace octostore::test
