// SPDX-License-Identifier: MIT
#include "Signature.h"

#include <octostore/base/Digest.h>

#include <openssl/evp.h>

#include <algorithm>

namespace octostore::webhooks
{

std::string toBase64(std::span<const std::uint8_t> bytes)
{
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
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
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (text.size() % 4 != 0 || padding > 2 ||
        text.substr(0, digits).find_first_not_of(alphabet) != std::string_view::npos ||
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

std::string keyOfSecret(std::string_view secret)
{
    if (secret.starts_with(secretPrefix))
        if (auto key = fromBase64(secret.substr(secretPrefix.size())))
            return *key;
    return std::string(secret);
}

std::string secretOfKey(std::span<const std::uint8_t> key)
{
    return std::string(secretPrefix) + toBase64(key);
}

std::string signatureHeader(const std::vector<std::string>& secrets, std::string_view id,
                            std::int64_t timestamp, std::string_view body)
{
    const std::string content =
        std::string(id) + "." + std::to_string(timestamp) + "." + std::string(body);
    std::string header;
    for (const std::string& secret : secrets)
        header +=
            (header.empty() ? "v1," : " v1,") + toBase64(hmacSha256(keyOfSecret(secret), content));
    return header;
}

std::string legacySignature(std::string_view secret, std::string_view body)
{
    return "sha256=" + toHex(hmacSha256(secret, body));
}

} // namespace octostore::webhooks
