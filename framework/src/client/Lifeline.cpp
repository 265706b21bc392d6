// SPDX-License-Identifier: MIT
#include <octostore/client/Lifeline.h>

#include <algorithm>

namespace octostore::client
{

namespace
{

constexpr Milliseconds tryMin{100};

} // namespace

void Lifeline::confirm(const Confirmation& confirmation, BootTime now) noexcept
{
    const BootClock::duration passed = std::max(now - confirmation.sent, BootClock::duration(0));
    const BootClock::duration said =
        std::clamp<BootClock::duration>(confirmation.waited, BootClock::duration(0), passed);
    const BootTime decided = confirmation.sent + said / 100 * 99;
    _deadline = std::max(_deadline, decided + authorityOf(_ttl));
    _dueAt = decided + _renewAfter;
}

void Lifeline::postpone(BootTime now, Milliseconds pause) noexcept
{
    const BootClock::duration left = std::max(_deadline - now, BootClock::duration(0));
    _dueAt = now + std::min<BootClock::duration>(pause, left / 4);
}

Milliseconds Lifeline::tryTimeout(BootTime now, Milliseconds most) const noexcept
{
    const auto half = std::chrono::duration_cast<Milliseconds>((_deadline - now) / 2);
    return std::max(std::min(half, most), tryMin);
}

Milliseconds Lifeline::usualRenewal(Milliseconds ttl) noexcept
{
    return ttl * 45 / 100;
}

Milliseconds Lifeline::authorityOf(Milliseconds ttl) noexcept
{
    return ttl * 8 / 10;
}

} // namespace octostore::client
