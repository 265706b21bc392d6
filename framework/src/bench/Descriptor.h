// SPDX-License-Identifier: MIT
/// @file
/// A file descriptor that is closed once.
#pragma once

#include <utility>

#include <unistd.h>

namespace octostore::bench
{

/// Thread-safety: thread-compatible.
class Descriptor
{
public:
    Descriptor() = default;
    explicit Descriptor(int number) noexcept : _number(number) {}
    Descriptor(Descriptor&& other) noexcept : _number(std::exchange(other._number, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        reset(std::exchange(other._number, -1));
        return *this;
    }
    ~Descriptor() { reset(); }

    int get() const noexcept { return _number; }
    void reset(int number = -1) noexcept
    {
        if (_number >= 0)
            ::close(_number);
        _number = number;
    }

private:
    int _number = -1;
};

} // namespace octostore::bench
