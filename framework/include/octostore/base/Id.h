// SPDX-License-Identifier: MIT
/// @file
/// Numbers and identifiers that cannot be mistaken for one another.
#pragma once

#include <octostore/base/Api.h>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace octostore
{

/// A counter of one kind. Thread-safety: thread-compatible.
template <class Tag>
class Number
{
public:
    constexpr Number() = default;
    constexpr explicit Number(std::uint64_t value) : _value(value) {}
    constexpr std::uint64_t value() const noexcept { return _value; }
    constexpr auto operator<=>(const Number&) const = default;

private:
    std::uint64_t _value = 0;
};

/// A backend's commit counter. 0: before the first commit.
using Revision = Number<struct RevisionTag>;
/// The fencing token of a grant: the revision of the commit that granted it. 0: none.
using Term = Number<struct TermTag>;
/// The place of an event in the journal: the revision of its commit.
using Sequence = Number<struct SequenceTag>;

/// RFC 4122. Thread-safety: thread-compatible.
struct Uuid
{
    std::array<std::uint8_t, 16> bytes{};

    /// Hyphenated, bare 32 hex digits, braced or `urn:uuid:`, in any case.
    static OCTOSTORE_API std::optional<Uuid> parse(std::string_view text) noexcept;
    /// Lower case, hyphenated.
    OCTOSTORE_API std::string toString() const;
    bool isNil() const noexcept { return *this == Uuid{}; }
    auto operator<=>(const Uuid&) const = default;
};

/// A Uuid of one kind.
template <class Tag>
struct UuidOf
{
    Uuid uuid;

    bool isNil() const noexcept { return uuid.isNil(); }
    std::string toString() const { return uuid.toString(); }
    auto operator<=>(const UuidOf&) const = default;
};

/// An account: who authenticated.
using PrincipalId = UuidOf<struct PrincipalTag>;
/// Who holds a lease: an account, a session, or one campaign.
using HolderId = UuidOf<struct HolderTag>;
using SessionId = UuidOf<struct SessionTag>;
using LeaseId = UuidOf<struct LeaseTag>;

/// On the wire `req_` and 32 lower-case hex digits.
using RequestId = UuidOf<struct RequestTag>;
OCTOSTORE_API std::string toWire(RequestId id);

} // namespace octostore

template <>
struct std::hash<octostore::Uuid>
{
    std::size_t operator()(const octostore::Uuid& uuid) const noexcept
    {
        return std::hash<std::string_view>{}(
            {reinterpret_cast<const char*>(uuid.bytes.data()), uuid.bytes.size()});
    }
};

template <class Tag>
struct std::hash<octostore::UuidOf<Tag>>
{
    std::size_t operator()(const octostore::UuidOf<Tag>& id) const noexcept
    {
        return std::hash<octostore::Uuid>{}(id.uuid);
    }
};
template <class Tag>
struct std::hash<octostore::Number<Tag>>
{
    std::size_t operator()(octostore::Number<Tag> number) const noexcept
    {
        return std::hash<std::uint64_t>{}(number.value());
    }
};
