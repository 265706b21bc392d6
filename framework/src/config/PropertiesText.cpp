// SPDX-License-Identifier: MIT
#include <octostore/base/Text.h>
#include <octostore/config/PropertiesText.h>

#include <algorithm>
#include <map>
#include <optional>

namespace octostore::config
{

namespace
{

/// Hands out lines without their ends and counts them.
class Lines
{
public:
    explicit Lines(std::string_view text) : _rest(text) {}

    std::size_t number() const noexcept { return _number; }
    std::optional<std::string_view> next() noexcept
    {
        if (_rest.empty())
            return std::nullopt;
        const std::size_t end = std::min(_rest.find('\n'), _rest.size());
        std::string_view line = _rest.substr(0, end);
        _rest.remove_prefix(std::min(end + 1, _rest.size()));
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        ++_number;
        return line;
    }

private:
    std::string_view _rest;
    std::size_t _number = 0;
};

/// An odd number of backslashes at the end: an even one is text.
bool goesOn(std::string_view line) noexcept
{
    const std::size_t last = line.find_last_not_of('\\');
    return (line.size() - (last == std::string_view::npos ? 0 : last + 1)) % 2 == 1;
}

bool hasControlCharacter(std::string_view text) noexcept
{
    return std::any_of(text.begin(), text.end(),
                       [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7F; });
}

/// Joins a line with those it goes on in. Nothing if the text ends before the line does.
std::optional<std::string> wholeLine(std::string_view first, Lines& lines)
{
    std::string whole(first);
    while (goesOn(whole))
    {
        whole.pop_back();
        const auto next = lines.next();
        if (!next)
            return std::nullopt;
        const std::size_t start = next->find_first_not_of(" \t");
        whole += start == std::string_view::npos ? std::string_view() : next->substr(start);
    }
    return whole;
}

/// What is wrong with a line, or empty; fills in `property`.
std::string split(std::string_view line, Property& property)
{
    if (!isUtf8(line))
        return "is not valid UTF-8";
    if (hasControlCharacter(line))
        return "has a control character";
    if (line.front() == '!')
        return "comments start with #, not with !";
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos)
        return "has no =; a line is `key = value`";
    property.key = trim(line.substr(0, equals));
    property.value = trim(line.substr(equals + 1));
    if (property.key.empty())
        return "has no key in front of =";
    if (property.key.find_first_of(" \t:") != std::string::npos)
        return "has a blank or colon in its key; a line is `key = value`";
    return {};
}

} // namespace

PropertiesText parseProperties(std::string_view text, std::string_view file)
{
    PropertiesText result;
    std::map<std::string, std::size_t> firstLines;
    // Editors of another system put this in front of UTF-8; it is no part of the first key.
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    if (text.substr(0, byteOrderMark.size()) == byteOrderMark)
        text.remove_prefix(byteOrderMark.size());
    Lines lines(text);
    while (const auto raw = lines.next())
    {
        const std::size_t number = lines.number();
        const std::string_view line = trim(*raw);
        if (line.empty() || line.front() == '#')
            continue;
        const auto report = [&](std::string key, std::string message) {
            result.problems.push_back(
                {std::string(file), number, std::move(key), std::move(message)});
        };
        const auto whole = wholeLine(line, lines);
        if (!whole)
        {
            report({}, "ends with a backslash, but there is no next line");
            break;
        }
        Property property;
        property.line = number;
        if (const std::string fault = split(*whole, property); !fault.empty())
        {
            report({}, fault);
            continue;
        }
        const auto [first, isNew] = firstLines.emplace(property.key, number);
        if (isNew)
            result.properties.push_back(std::move(property));
        else
            report(property.key, "is set in line " + std::to_string(first->second) + " already");
    }
    return result;
}

} // namespace octostore::config
