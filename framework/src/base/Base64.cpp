// SPDX-License-Identifier: MIT
#include <octostore/base/Base64.h>

#include <openssl/evp.h>

#include <algorithm>
#include <array>

namespace octostore
{

namespace
{

constexpr std::string_view base64Alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<bool, 256> base64Digits = []
{
    std::array<bool, 256> digits{};
    for (const char digit : base64Alphabet)
        digits[static_cast<unsigned char>(digit)] = true;
    return digits;
}();

/// EVP_DecodeBlock() would skip blanks.
bool areBase64Digits(std::string_view text) noexcept
{
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return base64Digits[static_cast<unsigned char>(c)]; });
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

std::optional<std::string> fromBase64(std::string_view text)
{
    const std::size_t digits = std::min(text.find('='), text.size());
    const std::size_t padding = text.size() - digits;
    if (text.size() % 4 != 0 || padding > 2 || !areBase64Digits(text.substr(0, digits)) ||
        text.substr(digits).find_first_not_of('=') != std::string_view::npos)
        return std::nullopt;
    std::string bytes(text.size() / 4 * 3, '\0');
    if (EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                        reinterpret_cast<const unsigned char*>(text.data()),
                        static_cast<int>(text.size())) < 0)
        return std::nullopt;
    bytes.resize(bytes.size() - padding);
    return bytes;
}

std::optional<std::string> fromBase64Url(std::string_view text)
{
    if (text.find_first_of("+/=") != std::string_view::npos)
        return std::nullopt;
    std::string padded;
    padded.reserve(text.size() + 3);
    padded = text;
    std::replace(padded.begin(), padded.end(), '-', '+');
    std::replace(padded.begin(), padded.end(), '_', '/');
    padded.append((4 - text.size() % 4) % 4, '=');
    return fromBase64(padded);
}

} // namespace octostore
