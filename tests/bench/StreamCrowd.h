// SPDX-License-Identifier: MIT
/// @file
/// Many watch streams of a few rooms, and what each of them saw.
#pragma once

#include "Scenarios.h"

#include <octostore/base/Result.h>
#include <octostore/bench/Histogram.h>

#include <cstdint>
#include <string>
#include <vector>

namespace octostore::bench
{

/// Thread-safety: thread-compatible.
class StreamCrowd
{
public:
    explicit StreamCrowd(const Setting& setting) : _setting(setting) {}
    ~StreamCrowd();
    StreamCrowd(const StreamCrowd&) = delete;
    StreamCrowd& operator=(const StreamCrowd&) = delete;

    /// Opens `setting.streams` streams, spread over `setting.rooms` rooms, and waits until each has
    /// its snapshot. Errors: Unavailable.
    Result<void> open();
    /// Elects and resigns in every room until the time is over, and waits until every stream has
    /// seen it. Errors: Unavailable.
    Result<void> load();
    void print() const;

private:
    struct Watcher
    {
        int socket = -1;
        std::size_t room = 0;
        std::string line; ///< the one that is not complete yet
        std::uint64_t lastId = 0;
        std::size_t seen = 0;
    };

    std::string roomName(std::size_t room) const;
    Result<std::string> ask(const std::string& path, const std::string& body);
    Result<void> turn(std::size_t room);
    void take(Watcher& watcher, const char* bytes, std::size_t size);
    /// Reads what has come until every watcher has seen `frames` frames. False: it takes too long.
    bool readUntil(std::size_t room, std::size_t frames);

    const Setting& _setting;
    int _epoll = -1;
    int _asking = -1;
    std::vector<Watcher> _watchers;
    std::vector<std::size_t> _expected; ///< frames of each room, the snapshot too
    std::size_t _disordered = 0;
    Histogram _spread;
};

} // namespace octostore::bench
