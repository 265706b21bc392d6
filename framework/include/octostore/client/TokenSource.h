// SPDX-License-Identifier: MIT
/// @file
/// Where the bearer token comes from.
#pragma once

#include <octostore/base/Result.h>

#include <cstdint>
#include <optional>
#include <string>

namespace octostore::client
{

/// A token from a file that only its owner can read, from standard input, or from the environment.
/// Thread-safety: thread-compatible.
class TokenSource
{
public:
    /// `file` is OCTOSTORE_TOKEN_FILE (`-`: the first line of standard input) and goes before
    /// `value`, OCTOSTORE_TOKEN. Empty counts as not set.
    /// Errors: InvalidInput when there is neither, or the file is a symbolic link, not regular, not
    /// the caller's own, readable by others, or has no usable token in it.
    static Result<TokenSource> open(const std::string& file, const std::string& value);

    /// Reads the file again if it has changed. A file that cannot be read just now (it is being
    /// replaced) leaves the token as it was.
    const std::string& token();

    /// The environment is visible to every process of the same user: worth a warning.
    bool fromEnvironment() const noexcept { return _fromEnvironment; }

private:
    /// Tells one state of a file from another.
    struct Stamp
    {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        std::int64_t size = 0;
        std::int64_t changedSeconds = 0;
        std::int64_t changedNanoseconds = 0;
        bool operator==(const Stamp&) const = default;
    };
    struct Reading
    {
        std::string token;
        Stamp stamp;
    };

    static Result<Reading> read(const std::string& file);

    std::string _file; ///< empty: there is nothing to read again
    std::string _token;
    Stamp _stamp;
    bool _fromEnvironment = false;
};

} // namespace octostore::client
