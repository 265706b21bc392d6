// SPDX-License-Identifier: MIT
#include "config/ValueText.h"

#include "config/Suggestion.h"

#include <octostore/base/Text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <span>

namespace octostore::config
{

namespace
{

struct Unit
{
    std::string_view name;
    std::uint64_t factor;
};

// Largest first, so that a value is described with the largest unit that is exact.
constexpr std::array durationUnits{Unit{"h", 3'600'000}, Unit{"m", 60'000}, Unit{"s", 1000},
                                   Unit{"ms", 1}};
constexpr std::array sizeUnits{Unit{"GiB", 1U << 30U}, Unit{"MiB", 1U << 20U},
                               Unit{"KiB", 1U << 10U}, Unit{"", 1}};

constexpr std::array<std::string_view, 4> trueWords{"1", "true", "on", "yes"};
constexpr std::array<std::string_view, 4> falseWords{"0", "false", "off", "no"};

bool isOneOf(std::string_view text, std::span<const std::string_view> words) noexcept
{
    return std::any_of(words.begin(), words.end(),
                       [text](auto word) { return equalIgnoringCase(text, word); });
}

std::span<const Unit> unitsOf(KeyType type) noexcept
{
    static constexpr std::array none{Unit{"", 1}};
    if (type == KeyType::Duration)
        return durationUnits;
    return type == KeyType::Size ? std::span<const Unit>(sizeUnits) : none;
}

/// Digits, then one of the units. Nothing if it is something else or does not fit 64 bits.
std::optional<std::uint64_t> parseQuantity(std::string_view text, std::span<const Unit> units)
{
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc())
        return std::nullopt;
    const std::string_view unit(read.ptr, static_cast<std::size_t>(end - read.ptr));
    for (const Unit& known : units)
    {
        if (unit == known.name)
            return number <= UINT64_MAX / known.factor ? std::optional(number * known.factor)
                                                       : std::nullopt;
    }
    return std::nullopt;
}

std::string formatQuantity(std::uint64_t number, std::span<const Unit> units)
{
    for (const Unit& unit : units)
    {
        if (number % unit.factor == 0 && (number != 0 || unit.factor == 1))
            return std::to_string(number / unit.factor) + std::string(unit.name);
    }
    return std::to_string(number);
}

std::string describeRange(const Key& key)
{
    // A key may end where the numbers of its store do; nobody comes near, and nobody set it.
    constexpr std::uint64_t boundless = std::numeric_limits<std::int64_t>::max();
    const auto units = unitsOf(key.type);
    if (key.most < boundless)
        return " from " + formatQuantity(key.least, units) + " to " +
               formatQuantity(key.most, units);
    return key.least != 0 ? " of at least " + formatQuantity(key.least, units) : "";
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : ", ") + word;
    return text;
}

Error wrong(const Key& key, std::string_view hint = {})
{
    return {ErrorCode::Configuration, "must be " + describeValue(key) + std::string(hint)};
}

Result<ParsedValue> parseNumber(const Key& key, ParsedValue parsed)
{
    const std::optional<std::uint64_t> number = parseQuantity(parsed.text, unitsOf(key.type));
    if (!number || *number < key.least || *number > key.most)
        return wrong(key);
    parsed.number = *number;
    return parsed;
}

Result<ParsedValue> parseBoolean(const Key& key, ParsedValue parsed)
{
    if (!isOneOf(parsed.text, trueWords) && !isOneOf(parsed.text, falseWords))
        return wrong(key);
    parsed.number = isOneOf(parsed.text, trueWords) ? 1 : 0;
    return parsed;
}

bool isChoice(const Key& key, const std::string& text)
{
    return key.choices.empty() ||
           std::find(key.choices.begin(), key.choices.end(), text) != key.choices.end();
}

Result<ParsedValue> parseList(const Key& key, ParsedValue parsed)
{
    std::string_view rest = parsed.text;
    while (!rest.empty())
    {
        const std::size_t comma = rest.find(',');
        const std::string element(trim(rest.substr(0, comma)));
        if (element.empty())
            return Error{ErrorCode::Configuration, "has an empty element"};
        if (!isChoice(key, element))
            return wrong(key, didYouMean(nearestWord(element, key.choices)));
        parsed.elements.push_back(element);
        if (comma == std::string_view::npos)
            break;
        rest.remove_prefix(comma + 1);
        if (trim(rest).empty())
            return Error{ErrorCode::Configuration, "has an empty element"};
    }
    return parsed;
}

} // namespace

std::string describeValue(const Key& key)
{
    switch (key.type)
    {
    case KeyType::Text:
        return key.choices.empty() ? "text" : "one of " + joined(key.choices);
    case KeyType::Boolean:
        return "true or false";
    case KeyType::Integer:
        return "an integer" + describeRange(key);
    case KeyType::Duration:
        return "a duration (500ms, 30s, 5m, 2h)" + describeRange(key);
    case KeyType::Size:
        return "a size (65536, 64KiB, 16MiB, 1GiB)" + describeRange(key);
    case KeyType::List:
        return key.choices.empty() ? "a list separated by commas"
                                   : "a list of " + joined(key.choices);
    case KeyType::Path:
        return "a path";
    case KeyType::Secret:
        return "a secret text";
    }
    return {};
}

Result<ParsedValue> parseValue(const Key& key, std::string_view text)
{
    ParsedValue parsed;
    parsed.text = key.type == KeyType::Secret ? text : trim(text);
    if (trim(text).empty() && key.type != KeyType::List)
        return Error{ErrorCode::Configuration,
                     "is set but empty; it must be " + describeValue(key)};
    switch (key.type)
    {
    case KeyType::Boolean:
        return parseBoolean(key, std::move(parsed));
    case KeyType::Integer:
    case KeyType::Duration:
    case KeyType::Size:
        return parseNumber(key, std::move(parsed));
    case KeyType::List:
        return parseList(key, std::move(parsed));
    case KeyType::Text:
    case KeyType::Path:
    case KeyType::Secret:
        break;
    }
    if (!isChoice(key, parsed.text))
        return wrong(key, didYouMean(nearestWord(parsed.text, key.choices)));
    return parsed;
}

} // namespace octostore::config
