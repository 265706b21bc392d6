// SPDX-License-Identifier: MIT
#include "Hex.h"
#include "Utf8.h"

#include <octostore/base/Text.h>

#include <algorithm>

namespace octostore
{

namespace
{

unsigned char byteAt(std::string_view text, std::size_t at) noexcept
{
    return static_cast<unsigned char>(text[at]);
}

bool isContinuation(unsigned char byte) noexcept
{
    return (byte & 0xC0U) == 0x80U;
}

char lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Length by the first byte alone; 0 for bytes that start nothing (continuations, C0, C1, F5..FF).
std::size_t announcedLength(unsigned char first) noexcept
{
    if (first < 0x80)
        return 1;
    if (first < 0xC2)
        return 0;
    if (first < 0xE0)
        return 2;
    if (first < 0xF0)
        return 3;
    return first < 0xF5 ? 4 : 0;
}

/// The second byte carries the rules against overlong forms, surrogates and too large values.
bool secondByteFits(unsigned char first, unsigned char second) noexcept
{
    switch (first)
    {
    case 0xE0:
        return second >= 0xA0;
    case 0xED:
        return second < 0xA0;
    case 0xF0:
        return second >= 0x90;
    case 0xF4:
        return second < 0x90;
    default:
        return true;
    }
}

} // namespace

std::size_t utf8SequenceLength(std::string_view text, std::size_t at) noexcept
{
    const unsigned char first = byteAt(text, at);
    const std::size_t length = announcedLength(first);
    if (length <= 1)
        return length;
    if (text.size() - at < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i)
    {
        if (!isContinuation(byteAt(text, at + i)))
            return 0;
    }
    return secondByteFits(first, byteAt(text, at + 1)) ? length : 0;
}

bool isUtf8(std::string_view text) noexcept
{
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t length = utf8SequenceLength(text, at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

std::size_t countScalars(std::string_view utf8) noexcept
{
    return static_cast<std::size_t>(
        std::count_if(utf8.begin(), utf8.end(),
                      [](char c) { return !isContinuation(static_cast<unsigned char>(c)); }));
}

std::optional<std::string> percentDecode(std::string_view text)
{
    std::string decoded;
    decoded.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); ++at)
    {
        if (text[at] != '%')
        {
            decoded += text[at];
            continue;
        }
        if (text.size() - at < 3)
            return std::nullopt;
        const int high = hexDigitValue(text[at + 1]);
        const int low = hexDigitValue(text[at + 2]);
        if (high < 0 || low < 0)
            return std::nullopt;
        decoded += static_cast<char>(high * 16 + low);
        at += 2;
    }
    return decoded;
}

std::string toLower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), lower);
    return result;
}

bool equalIgnoringCase(std::string_view a, std::string_view b) noexcept
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim(std::string_view text) noexcept
{
    constexpr std::string_view blank = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::string printable(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const unsigned char byte = byteAt(text, i);
        // U+0080 to U+009F: some terminals take U+009B for an escape sequence's beginning.
        const bool latin = byte == 0xC2 && i + 1 < text.size() && byteAt(text, i + 1) < 0xA0;
        result += latin || byte < ' ' || byte == 0x7F ? ' ' : text[i];
        i += latin ? 1 : 0;
    }
    return result;
}

} // namespace octostore
