// SPDX-License-Identifier: MIT
#include "Outgoing.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <utility>

#include <sys/socket.h>
#include <sys/uio.h>

namespace octostore::http_beast
{

namespace
{

constexpr std::size_t partsMax = 48;

/// Pieces of memory to send, without the first `skip` bytes.
class Parts
{
public:
    explicit Parts(std::size_t skip) : _skip(skip) {}

    bool full() const noexcept { return _count + 3 > partsMax; }
    void add(std::string_view part)
    {
        const std::size_t skipped = std::min(_skip, part.size());
        _skip -= skipped;
        part.remove_prefix(skipped);
        if (!part.empty())
            _parts[_count++] = {const_cast<char*>(part.data()), part.size()};
    }
    ssize_t sendTo(int socket)
    {
        msghdr message{};
        message.msg_iov = _parts.data();
        message.msg_iovlen = _count;
        return ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    }

private:
    std::size_t _skip;
    std::size_t _count = 0;
    std::array<iovec, partsMax> _parts;
};

} // namespace

void Outgoing::add(std::string text)
{
    _pieces.push_back({std::move(text), nullptr, false});
}

void Outgoing::add(std::shared_ptr<const std::string> chunk, bool framed)
{
    std::array<char, 20> size{};
    if (framed)
        std::snprintf(size.data(), size.size(), "%zx\r\n", chunk->size());
    _pieces.push_back({size.data(), std::move(chunk), framed});
}

Outgoing::Sent Outgoing::sendTo(int socket)
{
    Sent sent{Outcome::Done};
    while (!empty())
    {
        Parts parts(_offset);
        for (std::size_t i = _first; i < _pieces.size() && !parts.full(); ++i)
        {
            const Piece& piece = _pieces[i];
            parts.add(piece.text);
            if (piece.chunk)
                parts.add(*piece.chunk);
            if (piece.framed)
                parts.add("\r\n");
        }
        const ssize_t count = parts.sendTo(socket);
        if (count < 0)
        {
            const bool later = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
            sent.outcome = later ? Outcome::Blocked : Outcome::Broken;
            return sent;
        }
        consume(sent, static_cast<std::size_t>(count));
    }
    return sent;
}

void Outgoing::consume(Sent& sent, std::size_t bytes)
{
    sent.bytes += bytes;
    _offset += bytes;
    while (_first < _pieces.size() && _offset >= _pieces[_first].size())
    {
        Piece& piece = _pieces[_first++];
        _offset -= piece.size();
        sent.chunks += piece.chunk ? piece.chunk->size() : 0;
        piece = {};
    }
    if (_first == _pieces.size())
        return clear();
    // A stream may never run dry: do not keep the places of what was sent.
    if (_first >= partsMax)
    {
        _pieces.erase(_pieces.begin(), _pieces.begin() + static_cast<std::ptrdiff_t>(_first));
        _first = 0;
    }
}

void Outgoing::clear() noexcept
{
    constexpr std::size_t kept = 4;
    if (_pieces.capacity() > kept)
        std::vector<Piece>().swap(_pieces);
    _pieces.clear();
    _first = 0;
    _offset = 0;
}

} // namespace octostore::http_beast
