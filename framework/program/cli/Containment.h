// SPDX-License-Identifier: MIT
/// @file
/// What keeps the processes of a command together, so that none of them is missed at the end.
#pragma once

#include <octostore/base/Result.h>

#include <string>
#include <string_view>

namespace octostore::program
{

/// From the strongest to the weakest.
enum class Containment
{
    /// The guardian is PID 1 of their PID namespace: whatever kills it, they die with it.
    Namespace,
    /// They are in a cgroup of their own, which cgroup.kill empties, also for the client.
    Cgroup,
    /// They are descendants of the guardian (a child subreaper), found in /proc.
    Group,
};

/// What the user asks for.
enum class ContainmentChoice
{
    Strongest,
    Namespace,
    Cgroup,
    Group,
};

/// `namespace`, `cgroup` or `group`.
std::string_view toText(Containment containment) noexcept;
/// `auto` or one of those. Errors: InvalidInput.
Result<ContainmentChoice> parseContainment(std::string_view text);

/// A cgroup (version 2) for one command. Thread-safety: immutable.
class Cgroup
{
public:
    /// Makes one below our own. Errors: Unavailable, there is no such hierarchy or it may not be
    /// changed; the caller takes another containment.
    static Result<Cgroup> create();

    /// Moves this process into it.
    bool enter() const;
    /// Kills everything in it at once. False when the kernel does not know how.
    bool kill() const;
    /// Removes it when it is empty.
    void remove() const;

private:
    explicit Cgroup(std::string path) : _path(std::move(path)) {}

    std::string _path;
};

} // namespace octostore::program
