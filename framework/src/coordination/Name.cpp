// SPDX-License-Identifier: MIT
#include "base/Utf8.h"

#include <octostore/base/Text.h>
#include <octostore/coordination/Name.h>

#include <algorithm>
#include <cstdint>

#include <unicode/uchar.h>

namespace octostore::coordination
{

namespace
{

constexpr std::string_view electionPrefix = "__election/";
constexpr std::string_view serverPrefix = "__octostore/";

constexpr std::size_t roomCharactersMin = 8;
constexpr std::size_t roomCharactersMax = 64;
constexpr std::size_t candidateCharactersMax = 64;
constexpr std::size_t candidateKeyCharactersMin = 16;
constexpr std::size_t candidateKeyCharactersMax = 128;

bool isAsciiAlphanumeric(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool consistsOf(std::string_view text, std::string_view marks) noexcept
{
    return std::all_of(text.begin(), text.end(),
                       [marks](char c)
                       { return isAsciiAlphanumeric(c) || marks.find(c) != marks.npos; });
}

/// `sequence` is one valid UTF-8 sequence of two bytes or more.
UChar32 decode(std::string_view sequence) noexcept
{
    UChar32 scalar = static_cast<std::uint8_t>(sequence[0]) & (0xFF >> (sequence.size() + 1));
    for (const char byte : sequence.substr(1))
        scalar = (scalar << 6) | (static_cast<std::uint8_t>(byte) & 0x3F);
    return scalar;
}

/// The Alphabetic property or one of the general categories Nd, Nl, No.
bool isUnicodeAlphanumeric(UChar32 scalar) noexcept
{
    return u_hasBinaryProperty(scalar, UCHAR_ALPHABETIC) ||
           (U_GET_GC_MASK(scalar) & U_GC_N_MASK) != 0;
}

bool hasOnlyNameCharacters(std::string_view name) noexcept
{
    for (std::size_t at = 0; at < name.size();)
    {
        const std::size_t length = utf8SequenceLength(name, at);
        if (length == 0)
            return false;
        const bool allowed = length == 1 ? consistsOf(name.substr(at, 1), "-_./")
                                         : isUnicodeAlphanumeric(decode(name.substr(at, length)));
        if (!allowed)
            return false;
        at += length;
    }
    return true;
}

/// Calls `matches` with each component until one matches.
template <class Matches>
bool anyComponent(std::string_view name, Matches matches)
{
    for (;;)
    {
        const std::size_t slash = name.find('/');
        if (matches(name.substr(0, slash)))
            return true;
        if (slash == name.npos)
            return false;
        name.remove_prefix(slash + 1);
    }
}

Error invalidName(const char* rule)
{
    return {ErrorCode::InvalidLockName, rule};
}

} // namespace

Result<void> checkLockName(std::string_view name)
{
    if (name.empty())
        return invalidName("A lock name must not be empty.");
    if (name.size() > lockNameBytesMax)
        return invalidName("A lock name has at most 256 bytes of UTF-8.");
    if (name.front() == '/' || name.back() == '/')
        return invalidName("A lock name must not start or end with `/`.");
    if (name.find("//") != name.npos)
        return invalidName("A lock name must not contain `//`.");
    if (anyComponent(name, [](std::string_view component) { return component == ".."; }))
        return invalidName("No component of a lock name may be `..`.");
    if (!hasOnlyNameCharacters(name))
        return invalidName("A lock name consists of letters, digits, `-`, `_`, `.` and `/`.");
    if (anyComponent(name, [](std::string_view component)
                     { return component.size() > lockNameComponentBytesMax; }))
        return invalidName("Each component of a lock name has at most 64 bytes of UTF-8.");
    return {};
}

bool isReservedLockName(std::string_view name) noexcept
{
    return name.starts_with(electionPrefix) || name.starts_with(serverPrefix);
}

Result<void> checkRoomId(std::string_view room)
{
    if (room.size() < roomCharactersMin || room.size() > roomCharactersMax ||
        !consistsOf(room, "_-"))
        return Error{ErrorCode::InvalidInput,
                     "An election ID has 8 to 64 characters of A-Z, a-z, 0-9, `_` and `-`."};
    return {};
}

Result<void> checkCandidateId(std::string_view candidate)
{
    if (candidate.empty() || candidate.size() > candidateCharactersMax ||
        !consistsOf(candidate, "._:@-"))
        return Error{ErrorCode::InvalidInput, "`candidate_id` has 1 to 64 characters of A-Z, a-z, "
                                              "0-9, `.`, `_`, `:`, `@` and `-`."};
    return {};
}

Result<void> checkCandidateKey(std::string_view key)
{
    const auto isPrintable = [](char c) { return c >= ' ' && c <= '~'; };
    if (key.size() < candidateKeyCharactersMin || key.size() > candidateKeyCharactersMax ||
        !std::all_of(key.begin(), key.end(), isPrintable))
        return Error{ErrorCode::InvalidInput,
                     "`candidate_key` has 16 to 128 printable ASCII characters."};
    return {};
}

Result<void> checkMetadata(std::string_view metadata)
{
    if (countScalars(metadata) > metadataScalarsMax)
        return Error{ErrorCode::InvalidInput, "`metadata` has at most 1024 characters."};
    return {};
}

std::string leaseNameOfRoom(std::string_view room)
{
    return std::string(electionPrefix).append(room);
}

std::string_view roomOfLeaseName(std::string_view name) noexcept
{
    if (!name.starts_with(electionPrefix))
        return {};
    return name.substr(electionPrefix.size());
}

} // namespace octostore::coordination
