// SPDX-License-Identifier: MIT
/// @file
/// A configuration that a test writes down.
#pragma once

#include <octostore/config/Config.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace octostore::test
{

/// What is not written down is unset: empty, false or 0. Thread-safety: thread-compatible.
class FakeSettings final : public config::View
{
public:
    using Values = std::map<std::string, std::string, std::less<>>;

    FakeSettings() = default;
    explicit FakeSettings(Values values) : _values(std::move(values)) {}

    std::string text(std::string_view key) const override
    {
        const auto found = _values.find(key);
        return found == _values.end() ? std::string() : found->second;
    }
    bool boolean(std::string_view key) const override { return text(key) == "true"; }
    std::uint64_t integer(std::string_view key) const override
    {
        const std::string value = text(key);
        return value.empty() ? 0 : std::stoull(value);
    }
    /// Written in milliseconds.
    Milliseconds duration(std::string_view key) const override
    {
        return Milliseconds(static_cast<std::int64_t>(integer(key)));
    }
    std::uint64_t bytes(std::string_view key) const override { return integer(key); }
    /// One element.
    std::vector<std::string> list(std::string_view key) const override
    {
        const std::string value = text(key);
        return value.empty() ? std::vector<std::string>() : std::vector<std::string>{value};
    }
    bool isSet(std::string_view key) const override { return _values.find(key) != _values.end(); }
    std::vector<std::string> names(std::string_view family) const override
    {
        const std::string prefix = std::string(family) + ".";
        std::set<std::string> found;
        for (const auto& [key, value] : _values)
        {
            const std::size_t dot = key.find('.', std::min(key.size(), prefix.size()));
            if (key.starts_with(prefix) && dot != std::string::npos)
                found.insert(key.substr(prefix.size(), dot - prefix.size()));
        }
        return {found.begin(), found.end()};
    }

private:
    Values _values;
};

} // namespace octostore::test
