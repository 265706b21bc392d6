// SPDX-License-Identifier: MIT
/// @file
/// Hexadecimal digits.
#pragma once

namespace octostore
{

constexpr char lowerHexDigits[] = "0123456789abcdef";

/// 0..15, or -1 if `c` is no hexadecimal digit.
constexpr int hexDigitValue(char c) noexcept
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

} // namespace octostore
