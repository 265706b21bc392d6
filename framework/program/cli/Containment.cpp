// SPDX-License-Identifier: MIT
#include "Containment.h"

#include "KernelFile.h"

#include <octostore/base/ErrnoText.h>

#include <cerrno>
#include <fstream>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

/// Where the unified hierarchy is mounted; empty: nowhere.
std::string mountPoint()
{
    // "36 35 0:29 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw"
    std::ifstream mounts("/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);)
    {
        const std::size_t dash = line.find(" - ");
        if (dash == std::string::npos || line.compare(dash + 3, 8, "cgroup2 ") != 0)
            continue;
        std::istringstream fields(line);
        std::string field;
        for (int i = 0; i < 5; ++i)
            fields >> field;
        return field;
    }
    return {};
}

/// Our own place in it, `/` at least.
std::string ownPath()
{
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);)
        if (line.compare(0, 3, "0::") == 0)
            return line.substr(3);
    return "/";
}

} // namespace

std::string_view toText(Containment containment) noexcept
{
    switch (containment)
    {
    case Containment::Namespace:
        return "namespace";
    case Containment::Cgroup:
        return "cgroup";
    case Containment::Group:
        return "group";
    }
    return "group";
}

Result<ContainmentChoice> parseContainment(std::string_view text)
{
    if (text == "auto")
        return ContainmentChoice::Strongest;
    if (text == "namespace")
        return ContainmentChoice::Namespace;
    if (text == "cgroup")
        return ContainmentChoice::Cgroup;
    if (text == "group")
        return ContainmentChoice::Group;
    return Error{ErrorCode::InvalidInput, "--isolation is auto, namespace, cgroup or group"};
}

Result<Cgroup> Cgroup::create()
{
    const std::string root = mountPoint();
    if (root.empty())
        return Error{ErrorCode::Unavailable, "there is no cgroup2 hierarchy"};
    const std::string own = ownPath();
    constexpr mode_t mode = 0755;
    const std::string path =
        root + (own == "/" ? "" : own) + "/octostore-run-" + std::to_string(::getpid());
    if (::mkdir(path.c_str(), mode) != 0)
        return Error{ErrorCode::Unavailable, path + ": " + errnoText(errno)};
    Cgroup cgroup(path);
    // Kernels before 5.14 have no cgroup.kill.
    if (::access((path + "/cgroup.kill").c_str(), W_OK) != 0 ||
        ::access((path + "/cgroup.procs").c_str(), W_OK) != 0)
    {
        cgroup.remove();
        return Error{ErrorCode::Unavailable, "there is no cgroup.kill"};
    }
    return cgroup;
}

bool Cgroup::enter() const
{
    return tellKernel(_path + "/cgroup.procs", "0");
}

bool Cgroup::kill() const
{
    return tellKernel(_path + "/cgroup.kill", "1");
}

void Cgroup::remove() const
{
    // The kernel takes a moment to forget who has just died.
    constexpr int tries = 20;
    constexpr useconds_t pause = 5000;
    for (int i = 0; i < tries && ::rmdir(_path.c_str()) != 0 && errno == EBUSY; ++i)
        ::usleep(pause);
}

} // namespace octostore::program
