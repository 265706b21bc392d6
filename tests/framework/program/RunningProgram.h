// SPDX-License-Identifier: MIT
/// @file
/// The real program as a child process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace octostore::program
{

/// test::programFile() with `arguments` and, of this process's environment, only PATH and what
/// sanitizers need. Killed when it still runs at the end.
class RunningProgram
{
public:
    using Words = std::vector<std::string>;

    explicit RunningProgram(const Words& arguments, const Words& environment = {});
    ~RunningProgram();
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;

    /// Reads standard error until a line has `part` in it; nothing if the program ends before.
    std::optional<std::string> waitForLine(const std::string& part);
    void signal(int number) const;
    /// Reads all that is left and waits; 128 + n when a signal ended it.
    int wait();
    /// All of standard output, after wait().
    const std::string& output() const noexcept { return _output; }
    /// What was read from standard error so far.
    const std::string& log() const noexcept { return _log; }

private:
    pid_t _child = -1;
    int _outputEnd = -1;
    int _logEnd = -1;
    std::string _output;
    std::string _log;
    std::size_t _lineStart = 0;
};

/// One GET over a connection of its own: the whole answer, head and body.
std::string get(std::uint16_t port, const std::string& target);

} // namespace octostore::program
