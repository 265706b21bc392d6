// SPDX-License-Identifier: MIT
/// @file
/// A text that a million records have in common.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace octostore
{

/// A text whose copies share its memory: two pointers each. Thread-safety: immutable but for
/// assignment; copies may be used by different threads.
class SharedText
{
public:
    SharedText() = default;
    // Implicit: wherever there is a text, there may be a shared one.
    SharedText(std::string text)
        : _text(text.empty() ? nullptr : std::make_shared<const std::string>(std::move(text)))
    {
    }
    SharedText(std::string_view text) : SharedText(std::string(text)) {}
    SharedText(const char* text) : SharedText(std::string(text)) {}

    /// Valid while this or a copy of it is.
    std::string_view view() const noexcept
    {
        return _text ? std::string_view(*_text) : std::string_view();
    }
    bool empty() const noexcept { return !_text; }

    friend bool operator==(const SharedText& a, const SharedText& b) noexcept
    {
        return a._text == b._text || a.view() == b.view();
    }
    template <std::convertible_to<std::string_view> Text>
    friend bool operator==(const SharedText& a, const Text& b) noexcept
    {
        return a.view() == std::string_view(b);
    }

private:
    std::shared_ptr<const std::string> _text; ///< null: empty
};

} // namespace octostore
