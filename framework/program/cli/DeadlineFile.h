// SPDX-License-Identifier: MIT
/// @file
/// Tells a running command until when it may go on.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/base/Time.h>

#include <string>

namespace octostore::program
{

/// A file with one line: the deadline in milliseconds of CLOCK_BOOTTIME, and as Unix time for
/// people. It is replaced, never rewritten: a reader sees one whole line. Thread-safety:
/// thread-compatible.
class DeadlineFile
{
public:
    /// Makes a directory of its own in XDG_RUNTIME_DIR, TMPDIR or /tmp.
    /// Errors: Unavailable, the message says why.
    static Result<DeadlineFile> create();

    const std::string& directory() const noexcept { return _directory; }
    std::string path() const { return _directory + "/deadline"; }

    /// What cannot be written stays as it was: an older deadline is an earlier one.
    void write(BootTime deadline, Now now) const;
    void remove() const;

private:
    explicit DeadlineFile(std::string directory) : _directory(std::move(directory)) {}

    std::string _directory;
};

} // namespace octostore::program
