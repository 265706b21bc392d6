// SPDX-License-Identifier: MIT
#include "StoreFiles.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace octostore::sqlite
{

namespace
{

std::string systemText(int number)
{
    return std::error_code(number, std::system_category()).message();
}

Error unavailable(std::string message)
{
    return {ErrorCode::Unavailable, std::move(message)};
}

/// The path SQLite will end up at, so that two names of one file have one lock.
Result<std::string> resolve(const std::string& configured)
{
    namespace fs = std::filesystem;
    if (configured.empty() || configured.front() == ':' || configured.back() == '/')
        return Error{ErrorCode::Configuration,
                     "storage.database must be the path of a file, not \"" + configured + "\"."};
    std::error_code failure;
    const fs::path given = fs::absolute(configured, failure);
    const fs::path whole = failure ? fs::path() : fs::canonical(given, failure);
    if (!failure)
    {
        if (fs::is_regular_file(whole, failure))
            return whole.string();
        return Error{ErrorCode::Configuration, whole.string() + " is not a regular file."};
    }
    if (fs::is_symlink(fs::symlink_status(given, failure)))
        return unavailable(given.string() + " is a symbolic link to a file that does not exist.");
    const fs::path folder = fs::canonical(given.parent_path(), failure);
    if (failure)
        return unavailable("The folder of the database " + given.string() +
                           " cannot be used: " + failure.message() + ".");
    return (folder / given.filename()).string();
}

} // namespace

StoreFiles::StoreFiles(std::string path, std::string lockPath, int lockDescriptor)
    : _path(std::move(path)), _lockPath(std::move(lockPath)), _lock(lockDescriptor)
{
}

StoreFiles::~StoreFiles()
{
    // The lock file stays: removing it would let two servers lock two different files.
    ::close(_lock);
}

Result<std::unique_ptr<StoreFiles>> StoreFiles::lock(const std::string& configuredPath)
{
    const Result<std::string> path = resolve(configuredPath);
    if (!path)
        return path.error();
    const std::string lockPath = *path + ".lock";
    const int descriptor =
        ::open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0)
        return unavailable("The lock file " + lockPath + " cannot be opened: " + systemText(errno) +
                           ".");
    std::unique_ptr<StoreFiles> files(new StoreFiles(*path, lockPath, descriptor));
    if (Result<void> claimed = files->claim(); !claimed)
        return claimed.error();
    return files;
}

Result<void> StoreFiles::claim()
{
    if (::flock(_lock, LOCK_EX | LOCK_NB) != 0)
    {
        if (errno != EWOULDBLOCK)
            return unavailable("The lock file " + _lockPath +
                               " cannot be locked: " + systemText(errno) + ".");
        char holder[24] = {};
        const ssize_t length = ::pread(_lock, holder, sizeof holder - 1, 0);
        const std::string who = length > 0 ? " (process " + std::string(holder) + ")" : "";
        return unavailable("Another server" + who + " is using the database " + _path +
                           ": it holds the lock on " + _lockPath + ". Stop it first.");
    }
    struct stat held = {};
    const std::optional<Identity> atPath = identify(_lockPath);
    if (::fstat(_lock, &held) != 0 || !atPath || *atPath != Identity{held.st_dev, held.st_ino})
        return unavailable("The lock file " + _lockPath + " was replaced meanwhile. Try again.");
    _lockIdentity = *atPath;

    // Only for the message above; a lock without it is as good.
    const std::string process = std::to_string(::getpid());
    if (::ftruncate(_lock, 0) == 0)
        static_cast<void>(::pwrite(_lock, process.data(), process.size(), 0) > 0);
    return {};
}

std::optional<StoreFiles::Identity> StoreFiles::identify(const std::string& path) noexcept
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0)
        return std::nullopt;
    return Identity{status.st_dev, status.st_ino};
}

Result<void> StoreFiles::remember()
{
    _database = identify(_path);
    if (!_database)
        return unavailable("The database " + _path + " cannot be found: " + systemText(errno) +
                           ".");
    return {};
}

Result<void> StoreFiles::check() const
{
    OCTOSTORE_ASSERT(_database.has_value());
    if (identify(_path) != _database)
        return unavailable("The database " + _path +
                           " was removed or replaced while the server used it.");
    if (identify(_lockPath) != _lockIdentity)
        return unavailable("The lock file " + _lockPath +
                           " was removed or replaced while the server used it.");
    return {};
}

std::uint64_t StoreFiles::databaseBytes() const noexcept
{
    struct stat status = {};
    return ::stat(_path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

} // namespace octostore::sqlite
