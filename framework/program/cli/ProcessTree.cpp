// SPDX-License-Identifier: MIT
#include "ProcessTree.h"

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

struct Entry
{
    pid_t parent = 0;
    char state = '?';
};

std::optional<pid_t> toPid(std::string_view text)
{
    pid_t pid = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, pid);
    if (fault != std::errc() || rest != end)
        return std::nullopt;
    return pid;
}

/// "123 (a name) with) parens) S 1 ..."
std::optional<Entry> readEntry(pid_t pid)
{
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    if (!std::getline(file, text))
        return std::nullopt;
    const std::size_t close = text.rfind(')');
    if (close == std::string::npos || close + 4 > text.size())
        return std::nullopt;
    Entry entry;
    entry.state = text[close + 2];
    entry.parent = static_cast<pid_t>(std::strtol(text.c_str() + close + 4, nullptr, 10));
    return entry;
}

using Table = std::map<pid_t, Entry>;

Table readTable()
{
    Table table;
    DIR* const directory = ::opendir("/proc");
    if (directory == nullptr)
        return table;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): a stream of our own
    while (const dirent* const file = ::readdir(directory))
        if (const auto pid = toPid(file->d_name))
            if (const auto entry = readEntry(*pid))
                table.emplace(*pid, *entry);
    ::closedir(directory);
    return table;
}

bool descends(const Table& table, pid_t pid, pid_t root, pid_t spared)
{
    // The table is not one instant: it may even have a circle.
    for (std::size_t step = 0; step <= table.size(); ++step)
    {
        if (pid == spared && spared != 0)
            return false;
        const auto found = table.find(pid);
        if (found == table.end())
            return false;
        if (found->second.parent == root)
            return true;
        pid = found->second.parent;
    }
    return false;
}

/// The same without a table: only the way up is read.
bool descendsNow(pid_t pid, pid_t root, pid_t spared)
{
    constexpr int stepsMax = 10'000; // processes change while we look
    for (int step = 0; step < stepsMax && pid > 0 && (pid != spared || spared == 0); ++step)
    {
        const auto entry = readEntry(pid);
        if (!entry)
            return false;
        if (entry->parent == root)
            return true;
        pid = entry->parent;
    }
    return false;
}

} // namespace

std::vector<pid_t> descendantsOf(pid_t root, pid_t spared)
{
    const Table table = readTable();
    std::vector<pid_t> result;
    for (const auto& [pid, entry] : table)
        if (entry.state != 'Z' && entry.state != 'X' && descends(table, pid, root, spared))
            result.push_back(pid);
    return result;
}

void signalDescendants(pid_t root, int signal, pid_t spared)
{
    for (const pid_t pid : descendantsOf(root, spared))
    {
        const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
        if (descriptor < 0)
            continue;
        // Only now the number is fixed to a process: is it still one of ours?
        if (descendsNow(pid, root, spared))
            ::syscall(SYS_pidfd_send_signal, descriptor, signal, nullptr, 0);
        ::close(descriptor);
    }
}

} // namespace octostore::program
