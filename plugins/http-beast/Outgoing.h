// SPDX-License-Identifier: MIT
/// @file
/// What is to be sent on a connection and was not yet taken by the kernel.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace octostore::http_beast
{

/// Thread-safety: thread-compatible.
class Outgoing
{
public:
    void add(std::string text);
    /// Shared, not copied; framed as one chunk of a chunked body when `framed`.
    void add(std::shared_ptr<const std::string> chunk, bool framed);

    enum class Outcome
    {
        Done,
        Blocked, ///< the kernel takes no more for now
        Broken,
    };
    struct Sent
    {
        Outcome outcome;
        std::size_t bytes = 0;  ///< that the kernel took
        std::size_t chunks = 0; ///< bytes of shared chunks that are wholly sent
    };
    /// Sends as much as the kernel takes at once.
    Sent sendTo(int socket);
    bool empty() const noexcept { return _pieces.empty(); }
    void clear() noexcept;

private:
    struct Piece
    {
        std::string text;
        std::shared_ptr<const std::string> chunk;
        bool framed = false;

        std::size_t size() const noexcept
        {
            return text.size() + (chunk ? chunk->size() : 0) + (framed ? 2 : 0);
        }
    };
    void consume(Sent& sent, std::size_t bytes);

    std::vector<Piece> _pieces;
    std::size_t _first = 0;  ///< pieces before it are sent
    std::size_t _offset = 0; ///< bytes of the first piece that are sent
};

} // namespace octostore::http_beast
