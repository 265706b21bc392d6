// SPDX-License-Identifier: MIT
/// @file
/// Strict reading of a query string.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::http
{

/// `a=1&b=two`, decoded once; `+` is a blank. Thread-safety: immutable.
class OCTOSTORE_API Query
{
public:
    /// Errors: InvalidInput when a key comes twice, an escape is broken or the text is no UTF-8.
    static Result<Query> parse(std::string_view raw);

    /// Null when the key is absent.
    const std::string* find(std::string_view key) const noexcept;
    /// Nothing when the key is absent. Errors: InvalidInput when it is no decimal integer of
    /// `least`..`most`.
    Result<std::optional<std::uint64_t>> integer(std::string_view key, std::uint64_t least,
                                                 std::uint64_t most) const;

private:
    std::map<std::string, std::string, std::less<>> _values;
};

} // namespace octostore::http
