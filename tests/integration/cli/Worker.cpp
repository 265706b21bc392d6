// SPDX-License-Identifier: MIT
// What the tests let `octostore run` run. The lock on a file belongs to what was opened, and every
// process that descends from the one that opened it shares that: the lock is free only when all of
// them are gone.
//   worker tree LOCK READY   takes the lock, forks, setsids, ignores TERM, writes READY, and stays
//   worker probe LOCK OUT    writes to OUT whether the lock is free
//   worker environ ENTRY PROGRAM [ARGUMENTS]   runs PROGRAM with ENTRY in its environment as it is
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace
{

/// Beside it and then in its place: a reader finds all of it.
void writeFile(const std::string& path, const std::string& text)
{
    const std::string next = path + ".next";
    const int file = ::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()))
        std::rename(next.c_str(), path.c_str());
    ::close(file);
}

[[noreturn]] void stay()
{
    for (;;)
        ::pause();
}

/// The way of daemons: a child of a child in a session of its own.
void leaveDaemon()
{
    if (::fork() != 0)
        return;
    ::setsid();
    if (::fork() != 0)
        ::_exit(0);
    stay();
}

int tree(const char* lock, const char* ready)
{
    const int file = ::open(lock, O_RDWR | O_CREAT, 0600); // inherited by all
    if (::flock(file, LOCK_EX | LOCK_NB) != 0)
        return 3;
    for (const int number : {SIGTERM, SIGINT, SIGHUP})
        ::signal(number, SIG_IGN);
    if (::fork() == 0)
        stay();
    leaveDaemon();
    leaveDaemon();
    writeFile(ready, std::to_string(::getpid()));
    stay();
}

int probe(const char* lock, const char* out)
{
    const int file = ::open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    writeFile(out, ::flock(file, LOCK_EX | LOCK_NB) == 0 ? "free" : "busy");
    return 0;
}

int withEntry(char* entry, char** words)
{
    std::vector<char*> entries{entry};
    for (char** one = environ; *one != nullptr; ++one)
        entries.push_back(*one);
    entries.push_back(nullptr);
    ::execve(words[0], words, entries.data());
    return 127;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 4 && std::strcmp(argv[1], "tree") == 0)
        return tree(argv[2], argv[3]);
    if (argc == 4 && std::strcmp(argv[1], "probe") == 0)
        return probe(argv[2], argv[3]);
    if (argc > 3 && std::strcmp(argv[1], "environ") == 0)
        return withEntry(argv[2], argv + 3);
    return 2;
}
