// SPDX-License-Identifier: MIT
/// @file
/// Keeps signing secrets unreadable in the store.
#pragma once

#include <octostore/base/Digest.h>
#include <octostore/base/Random.h>
#include <octostore/base/Result.h>

#include <optional>
#include <string>
#include <string_view>

namespace octostore::webhooks
{

/// AES-256-GCM; what is sealed for one webhook cannot be opened for another.
/// Thread-safety: immutable.
class SecretBox
{
public:
    explicit SecretBox(const Digest& key) : _key(key), _usable(true) {}
    /// Without a key: opens nothing, and nothing may be sealed.
    SecretBox() = default;
    /// With the key in `file`; without one if there is no such file.
    /// Errors: Configuration when it cannot be read, is no key, or others may read it.
    static Result<SecretBox> read(const std::string& file);
    /// With the key in `file`, which is made (mode 0600) if there is none.
    /// Errors: Configuration when it cannot be read or made, is no key, or others may read it.
    static Result<SecretBox> open(const std::string& file, Random& random);

    bool usable() const noexcept { return _usable; }
    /// Base64 of nonce, text and tag. `owner`: the webhook it belongs to.
    std::string seal(std::string_view secret, std::string_view owner, Random& random) const;
    /// Nothing if it was sealed with another key or for another webhook, or was changed.
    std::optional<std::string> unseal(std::string_view box, std::string_view owner) const;

private:
    Digest _key{};
    bool _usable = false;
};

} // namespace octostore::webhooks
