// SPDX-License-Identifier: MIT
#include "Signature.h"

#include <octostore/base/Base64.h>
#include <octostore/base/Digest.h>

namespace octostore::webhooks
{

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
