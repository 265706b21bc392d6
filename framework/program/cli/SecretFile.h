// SPDX-License-Identifier: MIT
/// @file
/// Files that keep a secret from one command to the next.
#pragma once

#include <octostore/base/Result.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace octostore::program
{

/// Replaces `file` in one step by one that only its owner can read (0600).
/// Errors: InvalidInput, one line: what could not be written, and why.
Result<void> writeSecret(const std::string& file, const std::string& text);
/// Whether writeSecret() would work now: what a server shows once must have a place to go to before
/// it is asked for. `file` stays as it is. Errors: as writeSecret().
Result<void> tryWriting(const std::string& file);

/// As tryWriting(), and that nothing else is lost: there is no such file, it is empty, or its one
/// line is what `isOurs` knows. Errors: InvalidInput; what the caller can do is in it.
Result<void> tryReplacing(const std::string& file,
                          const std::function<bool(std::string_view)>& isOurs);

/// Errors: InvalidInput: not there, a symbolic link, not the caller's own, or readable by others.
Result<std::string> readSecret(const std::string& file);

/// The proof of a lease.
struct SavedLease
{
    std::string kind; ///< `election` or `lock`
    std::string name;
    std::string secret; ///< leader token or lease ID; empty: asked for, not known to be had
    std::uint64_t term = 0;
    std::string candidate;
    std::string candidateKey;    ///< lets a campaign whose answer was lost be repeated
    std::chrono::seconds ttl{0}; ///< asked for; 0: not known
};

Result<void> save(const std::string& file, const SavedLease& lease);
/// Errors: those of readSecret(), and a file that keeps another lease or none.
Result<SavedLease> load(const std::string& file, const std::string& kind, const std::string& name);
/// Whether save() would work and would cost nothing: there is no such file, it is empty, or it
/// keeps a lease of this kind and name. Errors: InvalidInput.
Result<void> trySaving(const std::string& file, const std::string& kind, const std::string& name);

} // namespace octostore::program
