// SPDX-License-Identifier: MIT
#include "BackupJob.h"

#include <Poco/DigestEngine.h>
#include <Poco/SHA2Engine.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

namespace octostore::admin_api
{

namespace
{

constexpr std::size_t chunkBytes = 64 * 1024;
/// So much may be on its way; less than what transports take.
constexpr std::size_t unsentMax = 128 * 1024;
constexpr std::chrono::milliseconds lookAgain{2};
constexpr std::chrono::seconds patience{60};
constexpr std::string_view snapshotMark = ".snapshot-";
constexpr std::size_t markDigits = 32;

Error systemError(const char* doing)
{
    return {ErrorCode::Unavailable,
            std::string(doing) + ": " + std::error_code(errno, std::system_category()).message()};
}

} // namespace

void removeLeftSnapshots(const std::string& database) noexcept
{
    namespace fs = std::filesystem;
    try
    {
        const fs::path path = fs::absolute(database);
        const std::string start = path.filename().string() + std::string(snapshotMark);
        for (const fs::directory_entry& entry : fs::directory_iterator(path.parent_path()))
        {
            const std::string name = entry.path().filename().string();
            const std::string digits = name.substr(std::min(start.size(), name.size()));
            if (name.starts_with(start) && digits.size() == markDigits &&
                digits.find_first_not_of("0123456789abcdef") == std::string::npos)
                fs::remove(entry.path());
        }
    }
    catch (const std::exception&)
    {
        // They only take room; the next start tries again.
    }
}

BackupJob::~BackupJob()
{
    if (_file >= 0)
        ::close(_file);
}

Result<void> BackupJob::take(backend::Backend& backend, const std::string& file)
{
    if (auto taken = backend.snapshot(file, [this] { return _cancelled.load(); }); !taken)
        return taken;
    if (auto opened = open(file); !opened)
        return opened;
    return read();
}

/// From here on the file has no name: it goes when this object goes, or the process.
Result<void> BackupJob::open(const std::string& file)
{
    _file = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    const int failed = errno;
    ::unlink(file.c_str());
    errno = failed;
    return _file < 0 ? Result<void>(systemError("The snapshot cannot be opened")) : Result<void>();
}

Result<void> BackupJob::read()
{
    Poco::SHA2Engine engine(Poco::SHA2Engine::SHA_256);
    std::string chunk(chunkBytes, '\0');
    for (;;)
    {
        const ssize_t count = ::pread(_file, chunk.data(), chunk.size(), static_cast<off_t>(_size));
        if (count < 0)
            return systemError("The snapshot cannot be read");
        if (count == 0)
            break;
        engine.update(chunk.data(), static_cast<std::size_t>(count));
        _size += static_cast<std::uint64_t>(count);
        if (_cancelled)
            return Error{ErrorCode::Draining, "The backup was cancelled."};
    }
    _digest = Poco::DigestEngine::digestToHex(engine.digest());
    return {};
}

bool BackupJob::send(http::Stream& stream) const
{
    std::uint64_t at = 0;
    while (at < _size && waitForRoom(stream))
    {
        auto chunk = std::make_shared<std::string>(chunkBytes, '\0');
        const ssize_t count = ::pread(_file, chunk->data(), chunk->size(), static_cast<off_t>(at));
        if (count <= 0)
            break;
        chunk->resize(static_cast<std::size_t>(count));
        if (!stream.write(std::move(chunk)))
            break;
        at += static_cast<std::uint64_t>(count);
    }
    stream.close();
    return at == _size;
}

bool BackupJob::waitForRoom(const http::Stream& stream) const
{
    // A stream tells how much is unsent, not when that changes.
    const auto until = std::chrono::steady_clock::now() + patience;
    while (stream.unsentBytes() > unsentMax)
    {
        if (_cancelled || std::chrono::steady_clock::now() > until)
            return false;
        std::this_thread::sleep_for(lookAgain);
    }
    return !_cancelled;
}

} // namespace octostore::admin_api
