// SPDX-License-Identifier: MIT
#include "WakeSignal.h"

#include <octostore/base/Assert.h>

#include <cstdint>

#include <sys/eventfd.h>
#include <unistd.h>

namespace octostore::program
{

WakeSignal::WakeSignal() : _descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    OCTOSTORE_ASSERT(_descriptor >= 0);
}

WakeSignal::~WakeSignal()
{
    ::close(_descriptor);
}

void WakeSignal::raise() const noexcept
{
    const std::uint64_t one = 1;
    // Full means that the other side is awake anyway.
    [[maybe_unused]] const ssize_t written = ::write(_descriptor, &one, sizeof one);
}

void WakeSignal::clear() const noexcept
{
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = ::read(_descriptor, &count, sizeof count);
}

} // namespace octostore::program
