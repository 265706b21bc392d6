// SPDX-License-Identifier: MIT
#include <octostore/base/Assert.h>
#include <octostore/base/Random.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include <pthread.h>
#include <sys/random.h>

namespace octostore
{

namespace
{

/// Counts the forks on the way to this process: a child must not hand out its parent's bytes.
std::atomic<unsigned> forks{0};

bool watchForks() noexcept
{
    return pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1); }) == 0;
}

void readKernel(std::span<std::uint8_t> bytes) noexcept
{
    while (!bytes.empty())
    {
        const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
        OCTOSTORE_ASSERT(got > 0 || errno == EINTR);
        if (got > 0)
            bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
}

/// Random bytes nobody has seen yet. One a thread, so that no lock can be held across a fork.
class Block
{
public:
    Block() noexcept
    {
        static const bool watched = watchForks();
        OCTOSTORE_ASSERT(watched);
    }
    ~Block() { explicit_bzero(_bytes.data(), _bytes.size()); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    /// Moves bytes out; `wanted` must not be longer than the block.
    void take(std::span<std::uint8_t> wanted) noexcept
    {
        const unsigned forksNow = forks.load(std::memory_order_relaxed);
        if (_left < wanted.size() || _forks != forksNow)
        {
            readKernel(_bytes);
            _left = _bytes.size();
            _forks = forksNow;
        }
        std::uint8_t* const from = _bytes.data() + (_bytes.size() - _left);
        std::copy_n(from, wanted.size(), wanted.begin());
        explicit_bzero(from, wanted.size());
        _left -= wanted.size();
    }

    std::size_t size() const noexcept { return _bytes.size(); }

private:
    std::array<std::uint8_t, 4096> _bytes{};
    std::size_t _left = 0;
    unsigned _forks = 0;
};

} // namespace

Random::~Random() = default;

Uuid Random::uuid() noexcept
{
    Uuid uuid;
    fill(uuid.bytes);
    uuid.bytes[6] = static_cast<std::uint8_t>((uuid.bytes[6] & 0x0FU) | 0x40U); // version 4
    uuid.bytes[8] = static_cast<std::uint8_t>((uuid.bytes[8] & 0x3FU) | 0x80U); // RFC 4122
    return uuid;
}

void SystemRandom::fill(std::span<std::uint8_t> bytes) noexcept
{
    thread_local Block block;
    if (bytes.size() > block.size())
        readKernel(bytes);
    else
        block.take(bytes);
}

} // namespace octostore
