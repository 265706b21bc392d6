// SPDX-License-Identifier: MIT
#include "Hex.h"

#include <octostore/base/Assert.h>
#include <octostore/base/Digest.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace octostore
{

namespace
{

/// Fetched once: OpenSSL 3 otherwise searches its providers at every call.
const EVP_MD* sha256Algorithm() noexcept
{
    static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    OCTOSTORE_ASSERT(algorithm != nullptr);
    return algorithm;
}

const unsigned char* bytesOf(std::string_view text) noexcept
{
    return reinterpret_cast<const unsigned char*>(text.data());
}

} // namespace

Digest sha256(std::string_view data) noexcept
{
    Digest digest;
    unsigned int length = 0;
    const int done =
        EVP_Digest(data.data(), data.size(), digest.data(), &length, sha256Algorithm(), nullptr);
    OCTOSTORE_ASSERT(done == 1 && length == digest.size());
    return digest;
}

Digest hmacSha256(std::string_view key, std::string_view message) noexcept
{
    Digest digest;
    unsigned int length = 0;
    // A null key would mean "the key of the last call" to older OpenSSL.
    const unsigned char* done =
        HMAC(sha256Algorithm(), key.empty() ? "" : key.data(), static_cast<int>(key.size()),
             bytesOf(message), message.size(), digest.data(), &length);
    OCTOSTORE_ASSERT(done != nullptr && length == digest.size());
    return digest;
}

bool equalSecrets(std::string_view a, std::string_view b) noexcept
{
    return a.size() == b.size() && (a.empty() || CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0);
}

bool equalSecrets(const Digest& a, const Digest& b) noexcept
{
    return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string toHex(std::span<const std::uint8_t> bytes)
{
    std::string text(bytes.size() * 2, '\0');
    char* to = text.data();
    for (const std::uint8_t byte : bytes)
    {
        *to++ = lowerHexDigits[byte >> 4U];
        *to++ = lowerHexDigits[byte & 0x0FU];
    }
    return text;
}

} // namespace octostore
