// SPDX-License-Identifier: MIT
#include <octostore/base/Assert.h>
#include <octostore/base/Random.h>
#include <octostore/base/Time.h>

#include <ctime>
#include <fstream>

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

/// `number` in so many digits, with zeros in front; it has no more. Every answer has dates: with a
/// formatting library they were a thirtieth of the time of an acquire.
void appendDigits(std::string& text, std::uint64_t number, std::size_t digits)
{
    text.append(digits, '0');
    for (std::size_t at = text.size(); number != 0; number /= 10)
        text[--at] = static_cast<char>('0' + number % 10);
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

    std::string text;
    text.reserve(sizeof "2026-08-03T01:02:03.123456789Z");
    appendDigits(text, static_cast<unsigned>(static_cast<int>(date.year())), 4);
    text += '-';
    appendDigits(text, static_cast<unsigned>(date.month()), 2);
    text += '-';
    appendDigits(text, static_cast<unsigned>(date.day()), 2);
    text += 'T';
    appendDigits(text, static_cast<std::uint64_t>(clock.hours().count()), 2);
    text += ':';
    appendDigits(text, static_cast<std::uint64_t>(clock.minutes().count()), 2);
    text += ':';
    appendDigits(text, static_cast<std::uint64_t>(clock.seconds().count()), 2);

    auto fraction = static_cast<std::uint64_t>(clock.subseconds().count());
    if (fraction != 0)
    {
        std::size_t digits = 9;
        for (; fraction % 1000 == 0; digits -= 3)
            fraction /= 1000;
        text += '.';
        appendDigits(text, fraction, digits);
    }
    return text += 'Z';
}

std::uint64_t wholeMilliseconds(BootClock::duration duration) noexcept
{
    if (duration.count() <= 0)
        return 0;
    return static_cast<std::uint64_t>(duration.count()) / 1'000'000U;
}

} // namespace octostore
