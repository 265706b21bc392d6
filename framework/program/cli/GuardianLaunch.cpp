// SPDX-License-Identifier: MIT
#include "GuardianLaunch.h"

#include "KernelFile.h"

#include <octostore/base/ErrnoText.h>

#include <cerrno>
#include <string>
#include <string_view>

#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

constexpr int readyPatienceMilliseconds = 10'000;

/// Users as they are outside; 0 for the user namespace if none is needed.
struct Identity
{
    uid_t user;
    gid_t group;
    int flag;
};

/// The command stays who it is.
bool mapIdentity(const Identity& identity)
{
    const std::string user = std::to_string(identity.user);
    const std::string group = std::to_string(identity.group);
    return tellKernel("/proc/self/setgroups", "deny") &&
           tellKernel("/proc/self/uid_map", user + " " + user + " 1") &&
           tellKernel("/proc/self/gid_map", group + " " + group + " 1");
}

/// So that process numbers in /proc are those that the command sees itself. Only this mount is
/// private: what the command mounts elsewhere is seen where it would have been seen without us.
/// Where it is not allowed (a container that masks parts of /proc) the old /proc has to do.
void mountProc()
{
    if (::mount(nullptr, "/proc", nullptr, MS_PRIVATE | MS_REC, nullptr) == 0)
        ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
}

[[noreturn]] void refuse(int socket, int problem)
{
    const Notice notice{Notice::Kind::Failed, problem, 0};
    ::send(socket, &notice, sizeof notice, MSG_NOSIGNAL);
    ::_exit(1);
}

[[noreturn]] void beGuardian(const GuardianOrders& orders, Containment containment, int socket,
                             const Identity& identity)
{
    if (containment == Containment::Namespace)
    {
        if (identity.flag != 0 && !mapIdentity(identity))
            refuse(socket, errno);
        mountProc();
    }
    Guardian(orders, containment, socket).run();
    ::_exit(0);
}

/// Like fork(), with namespaces. There is one thread, so nothing of libc is in between states.
pid_t forkWith(int flags)
{
    return static_cast<pid_t>(::syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0));
}

/// 0, or why it is not ready.
int awaitReady(const LaunchedGuardian& guardian)
{
    pollfd one{guardian.socket, POLLIN, 0};
    Notice notice;
    if (::poll(&one, 1, readyPatienceMilliseconds) != 1)
        return ETIMEDOUT;
    if (::recv(guardian.socket, &notice, sizeof notice, 0) != static_cast<ssize_t>(sizeof notice))
        return EPIPE;
    return notice.kind == Notice::Kind::Ready ? 0 : notice.value;
}

Error unavailable(int problem)
{
    return {ErrorCode::Unavailable, errnoText(problem)};
}

Result<LaunchedGuardian> launch(const GuardianOrders& orders, Containment containment,
                                int namespaceFlags)
{
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
        return unavailable(errno);
    const Identity identity{::geteuid(), ::getegid(), namespaceFlags & CLONE_NEWUSER};
    const pid_t pid = containment == Containment::Namespace ? forkWith(namespaceFlags) : ::fork();
    const int problem = errno;
    if (pid == 0)
    {
        ::close(sockets[0]);
        beGuardian(orders, containment, sockets[1], identity);
    }
    ::close(sockets[1]);
    LaunchedGuardian guardian{pid, sockets[0], containment};
    if (pid < 0)
    {
        ::close(sockets[0]);
        return unavailable(problem);
    }
    if (const int why = awaitReady(guardian); why != 0)
    {
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        ::close(sockets[0]);
        return unavailable(why);
    }
    return guardian;
}

Result<LaunchedGuardian> launchInNamespace(const GuardianOrders& orders)
{
    auto guardian = launch(orders, Containment::Namespace, CLONE_NEWPID | CLONE_NEWNS);
    if (!guardian)
        guardian =
            launch(orders, Containment::Namespace, CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS);
    return guardian;
}

Result<LaunchedGuardian> launchInCgroup(GuardianOrders& orders)
{
    auto cgroup = Cgroup::create();
    if (!cgroup)
        return cgroup.error();
    orders.cgroup = *std::move(cgroup);
    auto guardian = launch(orders, Containment::Cgroup, 0);
    if (!guardian)
    {
        orders.cgroup->remove();
        orders.cgroup.reset();
    }
    return guardian;
}

} // namespace

Result<LaunchedGuardian> launchGuardian(GuardianOrders& orders, ContainmentChoice choice)
{
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    const bool any = choice == ContainmentChoice::Strongest;
    if (any || choice == ContainmentChoice::Namespace)
        if (auto guardian = launchInNamespace(orders); guardian || !any)
            return guardian;
    if (any || choice == ContainmentChoice::Cgroup)
        if (auto guardian = launchInCgroup(orders); guardian || !any)
            return guardian;
    return launch(orders, Containment::Group, 0);
}

} // namespace octostore::program
