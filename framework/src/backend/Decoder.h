// SPDX-License-Identifier: MIT
/// @file
/// Reads the members of one stored JSON object and remembers whether all of them made sense.
#pragma once

#include <octostore/base/Digest.h>
#include <octostore/base/Id.h>
#include <octostore/base/Json.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace octostore::backend
{

/// The version every stored object carries as `v`.
constexpr int codecVersion = 1;

/// What is stored cannot be what was written.
inline Error corrupt(std::string message)
{
    return {ErrorCode::Corrupt, std::move(message)};
}

/// A member that is missing or of another type gives a default and makes ok() false; so a record
/// is read in one go and judged once. Members with "optional" in the name of their reader may be
/// missing. Thread-safety: thread-compatible.
class Decoder
{
public:
    /// `object` must outlive this.
    explicit Decoder(const JsonValue::Object& object) : _fields(object) {}

    bool ok() const noexcept { return _ok; }
    void fail() noexcept { _ok = false; }

    bool has(std::string_view key) const noexcept { return _fields.find(key) != nullptr; }
    std::int64_t integer(std::string_view key);
    /// 0..INT64_MAX.
    std::uint64_t counter(std::string_view key);
    bool boolean(std::string_view key);
    std::string string(std::string_view key);
    std::vector<std::string> strings(std::string_view key);
    WallTime wallTime(std::string_view key);
    Milliseconds milliseconds(std::string_view key);
    /// All zero when missing.
    Uuid optionalUuid(std::string_view key);
    /// All zero when missing; else exactly as many bytes in hex.
    void optionalBytes(std::string_view key, std::span<std::uint8_t> bytes);
    /// Null when missing or no object.
    const JsonValue::Object* object(std::string_view key);

    template <class Enumeration>
    Enumeration enumerator(std::string_view key, Enumeration first, Enumeration last)
    {
        const std::int64_t number = integer(key);
        if (number >= static_cast<std::int64_t>(first) && number <= static_cast<std::int64_t>(last))
            return static_cast<Enumeration>(number);
        fail();
        return first;
    }

private:
    JsonFields _fields;
    bool _ok = true;
};

} // namespace octostore::backend
