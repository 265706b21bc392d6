// SPDX-License-Identifier: MIT
#include "Scenarios.h"

#include <octostore/base/Json.h>
#include <octostore/bench/Histogram.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace octostore::bench
{

namespace
{

constexpr std::size_t block = 4096;
constexpr std::size_t blocks = 64;

double microseconds(Duration duration)
{
    return std::chrono::duration<double, std::micro>(duration).count();
}

/// How long this process was ready to run and had no processor. Where others keep the processors
/// busy, this and not the disk is most of what a sync seems to take.
Duration waitedForProcessor()
{
    std::int64_t ran = 0;
    std::int64_t waited = 0;
    std::ifstream("/proc/self/schedstat") >> ran >> waited;
    return Duration(waited);
}

bool write(int file, std::size_t number)
{
    const std::vector<char> bytes(block, static_cast<char>(number));
    return ::pwrite(file, bytes.data(), block, static_cast<off_t>((number % blocks) * block)) ==
           static_cast<ssize_t>(block);
}

/// Overwrites blocks that are there already, as a WAL that has been round once does.
bool measure(int file, std::chrono::milliseconds time, Histogram& latency)
{
    using Clock = std::chrono::steady_clock;
    for (std::size_t i = 0; i < blocks; ++i)
    {
        if (!write(file, i))
            return false;
    }
    if (::fsync(file) != 0)
        return false;
    const auto end = Clock::now() + time;
    for (std::size_t i = 0; Clock::now() < end; ++i)
    {
        const auto from = Clock::now();
        if (!write(file, i) || ::fdatasync(file) != 0)
            return false;
        latency.record(Clock::now() - from);
    }
    return true;
}

} // namespace

Result<void> diskScenario(const Setting& setting)
{
    const std::string path = setting.directory + "/octostore-bench-" + setting.run;
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    Histogram latency;
    const Duration before = waitedForProcessor();
    const bool good = file >= 0 && measure(file, setting.duration, latency);
    const int fault = errno;
    ::close(file);
    ::unlink(path.c_str());
    if (!good)
        return Error{ErrorCode::Unavailable, path + ": " + std::strerror(fault)};
    const auto syncs = static_cast<std::int64_t>(latency.count());
    JsonWriter json;
    json.beginObject()
        .field("kind", "disk")
        .field("count", latency.count())
        .field("p50_us", microseconds(latency.quantile(0.5)))
        .field("p99_us", microseconds(latency.quantile(0.99)))
        .field("max_us", microseconds(latency.most()))
        .field("mean_us", microseconds(latency.mean()))
        .field("waiting_us",
               microseconds((waitedForProcessor() - before) / std::max<std::int64_t>(syncs, 1)))
        .endObject();
    std::cout << json.take() << "\n";
    return {};
}

} // namespace octostore::bench
