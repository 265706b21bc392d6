// SPDX-License-Identifier: MIT
/// @file
/// A client command of the real program, run for a test.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace octostore::test
{

/// Standard output is read line by line, standard error is kept. Killed at the end if it still
/// runs. Thread-safety: thread-compatible.
class ClientProcess
{
public:
    using Words = std::vector<std::string>;
    using Variables = std::map<std::string, std::string>;

    static constexpr std::chrono::seconds patience{120};

    /// For what is passed on of this process's environment see childEnvironment().
    /// `prefix`: a command that runs the program, like `ip netns exec NAME`.
    explicit ClientProcess(const Words& arguments, const Variables& variables = {},
                           const std::string& input = {}, const Words& prefix = {});
    ~ClientProcess();
    ClientProcess(const ClientProcess&) = delete;
    ClientProcess& operator=(const ClientProcess&) = delete;

    /// Reads until a line has `part` in it and returns that line; nothing when the output ends or
    /// it takes too long.
    std::optional<std::string> waitForLine(const std::string& part);
    /// The reader goes away.
    void closeOutput();
    void signal(int number) const;
    /// Whether it has ended, without waiting.
    bool ended();
    /// Reads what is left and waits; 128 + n when a signal ended it, -1 when it had to be killed.
    int wait();

    pid_t pid() const noexcept { return _pid; }
    /// Every line so far.
    const std::vector<std::string>& lines() const noexcept { return _lines; }
    std::string output() const;
    /// After wait().
    const std::string& errors() const noexcept { return _errors; }

private:
    bool readMore(std::chrono::steady_clock::time_point until);

    pid_t _pid = -1;
    int _output = -1;
    int _error = -1;
    std::string _rest;
    std::string _errors;
    std::vector<std::string> _lines;
    bool _reaped = false;
    int _exitCode = -1;
};

} // namespace octostore::test
