// SPDX-License-Identifier: MIT
#include <octostore/base/ErrnoText.h>
#include <octostore/base/Files.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

namespace octostore
{

Result<void> renameToFree(const std::string& from, const std::string& to)
{
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0)
        return {};
    // Not every file system has that; of those that have not, most have links.
    if (errno != EINVAL || ::link(from.c_str(), to.c_str()) != 0)
        return Error{ErrorCode::Unavailable, errnoText(errno)};
    ::unlink(from.c_str());
    return {};
}

Result<void> syncFolderOf(const std::string& file)
{
    std::error_code ignored;
    const std::string folder = std::filesystem::absolute(file, ignored).parent_path().string();
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    Result<void> result;
    if (!synced)
        result = Error{ErrorCode::Unavailable,
                       "Writing the folder " + folder + " failed: " + errnoText(errno)};
    if (descriptor >= 0)
        ::close(descriptor);
    return result;
}

} // namespace octostore
