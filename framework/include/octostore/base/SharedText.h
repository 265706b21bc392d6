// SPDX-License-Identifier: MIT
/// @file
/// A text that a million records have in common.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace octostore
{

/// A text whose copies share its memory: one pointer each, which is why it is not a shared_ptr.
/// Thread-safety: immutable but for assignment; copies may be used by different threads.
class SharedText
{
public:
    SharedText() = default;
    // Implicit: wherever there is a text, there may be a shared one.
    SharedText(std::string_view text) : _shared(text.empty() ? nullptr : make(text)) {}
    SharedText(const std::string& text) : SharedText(std::string_view(text)) {}
    SharedText(const char* text) : SharedText(std::string_view(text)) {}
    SharedText(const SharedText& other) noexcept : _shared(other._shared)
    {
        if (_shared)
            _shared->copies.fetch_add(1, std::memory_order_relaxed);
    }
    SharedText(SharedText&& other) noexcept : _shared(std::exchange(other._shared, nullptr)) {}
    SharedText& operator=(SharedText other) noexcept
    {
        std::swap(_shared, other._shared);
        return *this;
    }
    ~SharedText()
    {
        // The last one must see what all others did before it frees the memory.
        if (_shared && _shared->copies.fetch_sub(1, std::memory_order_acq_rel) == 1)
            free(_shared);
    }

    /// Valid while this or a copy of it is.
    std::string_view view() const noexcept
    {
        return _shared ? std::string_view(textOf(_shared), _shared->length) : std::string_view();
    }
    bool empty() const noexcept { return !_shared; }

    friend bool operator==(const SharedText& a, const SharedText& b) noexcept
    {
        return a._shared == b._shared || a.view() == b.view();
    }
    template <std::convertible_to<std::string_view> Text>
    friend bool operator==(const SharedText& a, const Text& b) noexcept
    {
        return a.view() == std::string_view(b);
    }

private:
    /// Its text follows it in the same piece of memory.
    struct Shared
    {
        std::size_t length;
        std::atomic<std::size_t> copies{1};
    };

    static char* textOf(Shared* shared) noexcept { return reinterpret_cast<char*>(shared + 1); }
    static Shared* make(std::string_view text)
    {
        auto* shared = new (::operator new(sizeof(Shared) + text.size())) Shared{text.size()};
        std::memcpy(textOf(shared), text.data(), text.size());
        return shared;
    }
    static void free(Shared* shared) noexcept
    {
        shared->~Shared();
        ::operator delete(shared);
    }

    Shared* _shared = nullptr; ///< null: empty
};

/// A text of its own, for what outlives or changes it.
inline std::optional<std::string> copyOf(const std::optional<SharedText>& text)
{
    return text ? std::optional(std::string(text->view())) : std::nullopt;
}

} // namespace octostore
