// SPDX-License-Identifier: MIT
#include "Hex.h"

#include <octostore/base/Digest.h>
#include <octostore/base/Id.h>
#include <octostore/base/Text.h>

namespace octostore
{

namespace
{

constexpr std::size_t bareLength = 32;
constexpr std::size_t hyphenatedLength = 36;
constexpr std::string_view urnPrefix = "urn:uuid:";

bool isHyphenPlace(std::size_t at) noexcept
{
    return at == 8 || at == 13 || at == 18 || at == 23;
}

} // namespace

std::optional<Uuid> Uuid::parse(std::string_view text) noexcept
{
    bool hyphenRequired = false;
    if (text.size() == hyphenatedLength + 2 && text.front() == '{' && text.back() == '}')
    {
        text = text.substr(1, hyphenatedLength);
        hyphenRequired = true;
    }
    else if (text.size() == urnPrefix.size() + hyphenatedLength &&
             equalIgnoringCase(text.substr(0, urnPrefix.size()), urnPrefix))
    {
        text.remove_prefix(urnPrefix.size());
        hyphenRequired = true;
    }
    const bool hyphenated = text.size() == hyphenatedLength;
    if (!hyphenated && (hyphenRequired || text.size() != bareLength))
        return std::nullopt;

    Uuid uuid;
    std::size_t digit = 0;
    for (std::size_t at = 0; at < text.size(); ++at)
    {
        if (hyphenated && isHyphenPlace(at))
        {
            if (text[at] != '-')
                return std::nullopt;
            continue;
        }
        const int value = hexDigitValue(text[at]);
        if (value < 0)
            return std::nullopt;
        std::uint8_t& byte = uuid.bytes[digit / 2];
        byte = static_cast<std::uint8_t>(byte * 16 + value);
        ++digit;
    }
    return uuid;
}

std::string Uuid::toString() const
{
    std::string text(hyphenatedLength, '-');
    std::size_t at = 0;
    for (const std::uint8_t byte : bytes)
    {
        if (isHyphenPlace(at))
            ++at;
        text[at++] = lowerHexDigits[byte >> 4U];
        text[at++] = lowerHexDigits[byte & 0x0FU];
    }
    return text;
}

std::string toWire(RequestId id)
{
    return "req_" + toHex(id.uuid.bytes);
}

} // namespace octostore
