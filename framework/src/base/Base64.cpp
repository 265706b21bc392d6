// SPDX-License-Identifier: MIT
#include <octostore/base/Base64.h>

#include <openssl/evp.h>

#include <algorithm>
#include <array>

namespace octostore
{

namespace
{

/// By character: what the digit stands for; -1: it is none.
using Sextets = std::array<std::int16_t, 256>;

constexpr Sextets sextetsWith(std::string_view lastTwo)
{
    Sextets sextets{};
    sextets.fill(-1);
    std::int16_t value = 0;
    for (const std::string_view digits :
         {std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
          lastTwo})
        for (const char digit : digits)
            sextets[static_cast<unsigned char>(digit)] = value++;
    return sextets;
}

constexpr Sextets standardSextets = sextetsWith("+/");
constexpr Sextets urlSextets = sextetsWith("-_");

constexpr std::size_t decodedSize(std::string_view digits) noexcept
{
    return digits.size() * 3 / 4;
}

/// Writes decodedSize() bytes; false: they are no digits.
/// EVP_DecodeBlock() takes four times as long, and each renewal of a leader has a token to read.
bool decode(std::string_view digits, const Sextets& sextets, std::uint8_t* bytes) noexcept
{
    if (digits.size() % 4 == 1)
        return false;
    std::uint32_t bits = 0;
    unsigned held = 0;
    for (const char digit : digits)
    {
        const int sextet = sextets[static_cast<unsigned char>(digit)];
        if (sextet < 0)
            return false;
        bits = bits << 6 | static_cast<std::uint32_t>(sextet);
        held += 6;
        if (held < 8)
            continue;
        held -= 8;
        *bytes++ = static_cast<std::uint8_t>(bits >> held & 0xFF);
    }
    return true;
}

} // namespace

std::string toBase64(std::span<const std::uint8_t> bytes)
{
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0'); // EVP_EncodeBlock ends with a NUL
    const int length = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(),
                                       static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    return text;
}

std::string toBase64(std::string_view bytes)
{
    return toBase64(std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

std::string toBase64Url(std::span<const std::uint8_t> bytes)
{
    std::string text = toBase64(bytes);
    text.resize(std::min(text.find('='), text.size()));
    std::replace(text.begin(), text.end(), '+', '-');
    std::replace(text.begin(), text.end(), '/', '_');
    return text;
}

std::optional<std::string> fromBase64(std::string_view text)
{
    const std::size_t digits = std::min(text.find('='), text.size());
    const std::size_t padding = text.size() - digits;
    if (text.size() % 4 != 0 || padding > 2 ||
        text.substr(digits).find_first_not_of('=') != std::string_view::npos)
        return std::nullopt;
    text = text.substr(0, digits);
    std::string bytes(decodedSize(text), '\0');
    if (!decode(text, standardSextets, reinterpret_cast<std::uint8_t*>(bytes.data())))
        return std::nullopt;
    return bytes;
}

bool fromBase64Url(std::string_view text, std::span<std::uint8_t> bytes) noexcept
{
    return decodedSize(text) == bytes.size() && decode(text, urlSextets, bytes.data());
}

} // namespace octostore
