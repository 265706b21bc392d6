// SPDX-License-Identifier: MIT
#include "StreamCrowd.h"

#include <octostore/base/Json.h>
#include <octostore/bench/AnswerReader.h>
#include <octostore/bench/LeaseRequests.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iostream>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace octostore::bench
{

namespace
{

using SteadyClock = std::chrono::steady_clock;
constexpr std::chrono::seconds patience{60};

Error broken(const char* what)
{
    return {ErrorCode::Unavailable, what};
}

/// Connects to a numeric IPv4 address; -1 when nobody is there.
int connectTo(const Setting& setting)
{
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(setting.port);
    ::inet_pton(AF_INET, setting.host.c_str(), &address.sin_addr);
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
        return socket;
    ::close(socket);
    return -1;
}

bool sendAll(int socket, const std::string& text)
{
    return ::send(socket, text.data(), text.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(text.size());
}

} // namespace

StreamCrowd::~StreamCrowd()
{
    for (const Watcher& watcher : _watchers)
        ::close(watcher.socket);
    for (const int descriptor : {_epoll, _asking})
        if (descriptor >= 0)
            ::close(descriptor);
}

std::string StreamCrowd::roomName(std::size_t room) const
{
    return "bench-" + _setting.run + "-" + std::to_string(room);
}

Result<void> StreamCrowd::open()
{
    _epoll = ::epoll_create1(EPOLL_CLOEXEC);
    _asking = connectTo(_setting);
    _expected.assign(_setting.rooms, 1);
    _watchers.resize(_setting.streams);
    for (std::size_t i = 0; i < _watchers.size(); ++i)
    {
        Watcher& watcher = _watchers[i];
        watcher.room = i % _setting.rooms;
        watcher.socket = connectTo(_setting);
        if (watcher.socket < 0 ||
            !sendAll(watcher.socket, "GET /elections/" + roomName(watcher.room) +
                                         "/watch HTTP/1.1\r\nHost: " + _setting.authority +
                                         "\r\n\r\n"))
            return broken("a stream cannot be opened");
        epoll_event wanted{};
        wanted.events = EPOLLIN;
        wanted.data.u64 = i;
        ::epoll_ctl(_epoll, EPOLL_CTL_ADD, watcher.socket, &wanted);
    }
    for (std::size_t room = 0; room < _setting.rooms; ++room)
        if (!readUntil(room, 1))
            return broken("not every stream has begun");
    return {};
}

Result<void> StreamCrowd::load()
{
    const auto end = SteadyClock::now() + _setting.duration;
    for (std::size_t room = 0; SteadyClock::now() < end; room = (room + 1) % _setting.rooms)
        if (auto done = turn(room); !done)
            return done;
    return {};
}

/// One leader comes and goes; each change is waited for.
Result<void> StreamCrowd::turn(std::size_t room)
{
    const std::string path = "/elections/" + roomName(room);
    std::string token;
    for (const bool elects : {true, false})
    {
        const auto begun = SteadyClock::now();
        const auto answer = elects ? ask(path + "/campaign", R"({"candidate_id":"bench"})")
                                   : ask(path + "/resign", "{\"leader_token\":\"" + token + "\"}");
        if (!answer)
            return answer.error();
        token = std::string(textIn(*answer, R"("leader_token":")"));
        if (!readUntil(room, ++_expected[room]))
            return broken("a stream has not seen a change");
        _spread.record(SteadyClock::now() - begun);
    }
    return {};
}

Result<std::string> StreamCrowd::ask(const std::string& path, const std::string& body)
{
    if (!sendAll(_asking, "POST " + path + " HTTP/1.1\r\nHost: " + _setting.authority +
                              "\r\nContent-Type: application/json\r\nContent-Length: " +
                              std::to_string(body.size()) + "\r\n\r\n" + body))
        return broken("the connection broke");
    constexpr std::size_t room = 16 * 1024;
    AnswerReader reader;
    for (;;)
    {
        const ssize_t got = ::recv(_asking, reader.room(room), room, 0);
        if (got <= 0)
            return broken("the connection broke");
        reader.wrote(static_cast<std::size_t>(got));
        if (const auto answer = reader.take())
        {
            if (answer->status != 200)
                return Error{ErrorCode::Internal, std::string(answer->body)};
            return std::string(answer->body);
        }
    }
}

/// Every frame of a transition has a line with its id, which must be larger than the one before.
void StreamCrowd::take(Watcher& watcher, const char* bytes, std::size_t size)
{
    for (const char c : std::string_view(bytes, size))
    {
        if (c != '\n')
        {
            watcher.line.push_back(c);
            continue;
        }
        if (watcher.line.starts_with("id: "))
        {
            std::uint64_t id = 0;
            std::from_chars(watcher.line.data() + 4, watcher.line.data() + watcher.line.size(), id);
            _disordered += watcher.seen > 0 && id <= watcher.lastId;
            watcher.lastId = id;
            ++watcher.seen;
        }
        watcher.line.clear();
    }
}

bool StreamCrowd::readUntil(std::size_t room, std::size_t frames)
{
    constexpr int waitMs = 1000;
    const auto giveUp = SteadyClock::now() + patience;
    const auto behind = [&]
    {
        return std::any_of(_watchers.begin(), _watchers.end(),
                           [&](const Watcher& watcher)
                           { return watcher.room == room && watcher.seen < frames; });
    };
    std::array<epoll_event, 256> ready{};
    std::array<char, 16384> bytes{};
    while (behind())
    {
        if (SteadyClock::now() > giveUp)
            return false;
        const int count =
            ::epoll_wait(_epoll, ready.data(), static_cast<int>(ready.size()), waitMs);
        for (int i = 0; i < count; ++i)
        {
            Watcher& watcher = _watchers[ready[static_cast<std::size_t>(i)].data.u64];
            const ssize_t got = ::recv(watcher.socket, bytes.data(), bytes.size(), 0);
            if (got <= 0)
                return false;
            take(watcher, bytes.data(), static_cast<std::size_t>(got));
        }
    }
    return true;
}

void StreamCrowd::print() const
{
    const auto us = [](Duration duration)
    { return std::chrono::duration<double, std::micro>(duration).count(); };
    const auto wrong =
        std::count_if(_watchers.begin(), _watchers.end(),
                      [this](const Watcher& each) { return each.seen != _expected[each.room]; });
    JsonWriter json;
    json.beginObject()
        .field("kind", "streams")
        .field("streams", static_cast<std::uint64_t>(_watchers.size()))
        .field("transitions", _spread.count())
        .field("wrong_streams", static_cast<std::uint64_t>(wrong))
        .field("disordered", static_cast<std::uint64_t>(_disordered))
        .key("spread")
        .beginObject()
        .field("p50_us", us(_spread.quantile(0.5)))
        .field("p99_us", us(_spread.quantile(0.99)))
        .field("max_us", us(_spread.most()))
        .endObject();
    std::cout << json.endObject().take() << std::endl;
}

Result<void> streamsScenario(const Setting& setting)
{
    StreamCrowd crowd(setting);
    if (auto opened = crowd.open(); !opened)
        return opened;
    if (auto loaded = crowd.load(); !loaded)
        return loaded;
    crowd.print();
    return {};
}

} // namespace octostore::bench
