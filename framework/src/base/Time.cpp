// SPDX-License-Identifier: MIT
#include <octostore/base/Assert.h>
#include <octostore/base/Random.h>
#include <octostore/base/Time.h>

#include <fmt/compile.h>

#include <ctime>
#include <fstream>
#include <iterator>

#include <sys/stat.h>

namespace octostore
{

namespace
{

std::chrono::nanoseconds readClock(clockid_t clock) noexcept
{
    timespec reading{};
    const int failed = clock_gettime(clock, &reading);
    OCTOSTORE_ASSERT(failed == 0);
    return std::chrono::seconds(reading.tv_sec) + std::chrono::nanoseconds(reading.tv_nsec);
}

/// Where the boot id cannot be read no instant may be taken for one of another process: a random
/// text equals no other.
std::string bootId()
{
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    if (std::getline(file, id) && !id.empty())
        return id;
    return SystemRandom().uuid().toString();
}

/// Processes in different time namespaces may read different boot times of the same machine.
std::string timeNamespace()
{
    struct stat status = {};
    if (stat("/proc/self/ns/time", &status) != 0)
        return {};
    return std::to_string(status.st_ino);
}

} // namespace

Clock::~Clock() = default;

SystemClock::SystemClock() : _identity(bootId() + ":" + timeNamespace()) {}

BootTime SystemClock::bootTime() const noexcept
{
    return BootTime(readClock(CLOCK_BOOTTIME));
}

WallTime SystemClock::wallTime() const noexcept
{
    return WallTime(readClock(CLOCK_REALTIME));
}

std::string toRfc3339(WallTime time)
{
    using namespace std::chrono;
    const auto day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss<nanoseconds> clock(time - day);

    std::string result = fmt::format(
        FMT_COMPILE("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}"), static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
        clock.hours().count(), clock.minutes().count(), clock.seconds().count());

    long long fraction = clock.subseconds().count();
    if (fraction != 0)
    {
        int digits = 9;
        for (; fraction % 1000 == 0; digits -= 3)
            fraction /= 1000;
        fmt::format_to(std::back_inserter(result), FMT_COMPILE(".{:0{}}"), fraction, digits);
    }
    return result + 'Z';
}

std::uint64_t wholeMilliseconds(BootClock::duration duration) noexcept
{
    if (duration.count() <= 0)
        return 0;
    return static_cast<std::uint64_t>(duration.count()) / 1'000'000U;
}

} // namespace octostore
