// SPDX-License-Identifier: MIT
/// @file
/// What the C library says of an error number.
#pragma once

#include <array>
#include <string>

#include <string.h> // strerror_r is of POSIX

namespace octostore
{

/// For people. Thread-safe, as strerror() need not be.
inline std::string errnoText(int number)
{
    std::array<char, 256> room{};
    return ::strerror_r(number, room.data(), room.size()); // GNU's: the text may lie elsewhere
}

} // namespace octostore
