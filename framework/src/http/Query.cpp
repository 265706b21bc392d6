// SPDX-License-Identifier: MIT
#include <octostore/base/Text.h>
#include <octostore/http/Query.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace octostore::http
{

namespace
{

std::optional<std::string> decode(std::string_view raw)
{
    std::string blanks(raw);
    std::replace(blanks.begin(), blanks.end(), '+', ' ');
    std::optional<std::string> decoded = percentDecode(blanks);
    if (decoded && !isUtf8(*decoded))
        return std::nullopt;
    return decoded;
}

} // namespace

Result<Query> Query::parse(std::string_view raw)
{
    Query query;
    while (!raw.empty())
    {
        const std::size_t end = std::min(raw.find('&'), raw.size());
        const std::string_view pair = raw.substr(0, end);
        raw.remove_prefix(std::min(end + 1, raw.size()));
        if (pair.empty())
            continue;

        const std::size_t equals = std::min(pair.find('='), pair.size());
        std::optional<std::string> key = decode(pair.substr(0, equals));
        std::optional<std::string> value = decode(pair.substr(std::min(equals + 1, pair.size())));
        if (!key || !value)
            return Error{ErrorCode::InvalidInput,
                         "The query has a broken percent escape or is not UTF-8."};
        if (!query._values.emplace(std::move(*key), std::move(*value)).second)
            return Error{ErrorCode::InvalidInput, "The query has a key twice; give each once."};
    }
    return query;
}

const std::string* Query::find(std::string_view key) const noexcept
{
    const auto found = _values.find(key);
    return found == _values.end() ? nullptr : &found->second;
}

Result<std::optional<std::uint64_t>> Query::integer(std::string_view key, std::uint64_t least,
                                                    std::uint64_t most) const
{
    const std::string* text = find(key);
    if (text == nullptr)
        return std::optional<std::uint64_t>();
    std::uint64_t value = 0;
    const char* end = text->data() + text->size();
    const auto [stop, failure] = std::from_chars(text->data(), end, value);
    if (failure != std::errc() || stop != end || value < least || value > most)
    {
        return Error{ErrorCode::InvalidInput,
                     "`" + std::string(key) + "` must be an integer from " + std::to_string(least) +
                         " to " + std::to_string(most) + "."};
    }
    return std::optional<std::uint64_t>(value);
}

} // namespace octostore::http
