// SPDX-License-Identifier: MIT
#include "DeadlineFile.h"

#include "ClientOptions.h"

#include <octostore/base/ErrnoText.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

namespace octostore::program
{

Result<DeadlineFile> DeadlineFile::create()
{
    std::string parent = variable("XDG_RUNTIME_DIR");
    if (parent.empty() || ::access(parent.c_str(), W_OK) != 0)
        parent = variable("TMPDIR");
    if (parent.empty())
        parent = "/tmp";
    std::string directory = parent + "/octostore-run-XXXXXX";
    if (::mkdtemp(directory.data()) == nullptr)
        return Error{ErrorCode::Unavailable, "no directory for the deadline file can be made in " +
                                                 parent + ": " + errnoText(errno)};
    return DeadlineFile(directory);
}

void DeadlineFile::write(BootTime deadline, Now now) const
{
    const auto count = [](auto duration)
    { return std::chrono::duration_cast<Milliseconds>(duration).count(); };
    const std::string text =
        std::to_string(count(deadline.time_since_epoch())) + " " +
        std::to_string(count(now.wall.time_since_epoch() + (deadline - now.boot))) + "\n";
    const std::string next = path() + ".next";
    constexpr mode_t mode = 0600;
    const int file = ::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (file < 0)
        return;
    const bool whole = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(file);
    if (whole)
        std::rename(next.c_str(), path().c_str());
}

void DeadlineFile::remove() const
{
    ::unlink((path() + ".next").c_str());
    ::unlink(path().c_str());
    ::rmdir(_directory.c_str());
}

} // namespace octostore::program
