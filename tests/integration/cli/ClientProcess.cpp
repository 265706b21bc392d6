// SPDX-License-Identifier: MIT
#include "ClientProcess.h"

#include "support/ChildProcess.h"

#include <octostore/base/Assert.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace octostore::test
{

namespace
{

using Clock = std::chrono::steady_clock;

} // namespace

ClientProcess::ClientProcess(const Words& arguments, const Variables& variables,
                             const std::string& input, const Words& prefix)
{
    std::vector<std::string> words = prefix;
    words.push_back(programFile());
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> settings = childEnvironment(variables);
    const std::vector<char*> argv = pointersTo(words);
    const std::vector<char*> environment = pointersTo(settings);
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    std::array<int, 2> error{};
    OCTOSTORE_ASSERT(::pipe2(in.data(), O_CLOEXEC) == 0);
    OCTOSTORE_ASSERT(::pipe2(out.data(), O_CLOEXEC) == 0);
    OCTOSTORE_ASSERT(::pipe2(error.data(), O_CLOEXEC) == 0);
    _pid = ::fork();
    OCTOSTORE_ASSERT(_pid >= 0);
    if (_pid == 0)
    {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL); // a test that dies takes its clients with it
        ::dup2(in[0], STDIN_FILENO);
        ::dup2(out[1], STDOUT_FILENO);
        ::dup2(error[1], STDERR_FILENO);
        ::execvpe(argv.front(), argv.data(), environment.data());
        ::_exit(127);
    }
    for (const int end : {in[0], out[1], error[1]})
        ::close(end);
    // Less than a pipe takes, so this does not wait.
    OCTOSTORE_ASSERT(::write(in[1], input.data(), input.size()) ==
                     static_cast<ssize_t>(input.size()));
    ::close(in[1]);
    _output = out[0];
    _error = error[0];
}

ClientProcess::~ClientProcess()
{
    if (!_reaped)
    {
        ::kill(_pid, SIGKILL);
        ::waitpid(_pid, nullptr, 0);
    }
    closeOutput();
    if (_error >= 0)
        ::close(_error);
}

std::optional<std::string> ClientProcess::waitForLine(const std::string& part)
{
    std::size_t looked = 0;
    const auto until = Clock::now() + patience;
    do
        for (; looked < _lines.size(); ++looked)
            if (_lines[looked].find(part) != std::string::npos)
                return _lines[looked];
    while (readMore(until) || looked < _lines.size());
    return std::nullopt;
}

void ClientProcess::closeOutput()
{
    if (_output >= 0)
        ::close(_output);
    _output = -1;
}

void ClientProcess::signal(int number) const
{
    if (!_reaped)
        ::kill(_pid, number);
}

bool ClientProcess::ended()
{
    int status = 0;
    if (!_reaped && ::waitpid(_pid, &status, WNOHANG) == _pid)
    {
        _reaped = true;
        _exitCode = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    return _reaped;
}

int ClientProcess::wait()
{
    const auto until = Clock::now() + patience;
    while (!ended())
    {
        readMore(Clock::now() + std::chrono::milliseconds(20));
        if (!ended() && Clock::now() > until)
        {
            ::kill(_pid, SIGKILL);
            ::waitpid(_pid, nullptr, 0);
            _reaped = true;
        }
    }
    while (readMore(Clock::now() + std::chrono::milliseconds(20)))
    {
    }
    return _exitCode;
}

std::string ClientProcess::output() const
{
    std::string all;
    for (const std::string& line : _lines)
        all += line + "\n";
    return all + _rest;
}

/// False when the output has ended or nothing came in time. What is there is read even when the
/// time is over: this process may have stood still.
bool ClientProcess::readMore(Clock::time_point until)
{
    const auto left = std::max<std::chrono::milliseconds::rep>(
        0, std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count());
    std::array<pollfd, 2> polled{{{_output, POLLIN, 0}, {_error, POLLIN, 0}}};
    if (::poll(polled.data(), polled.size(), static_cast<int>(left)) <= 0)
        return false;
    std::array<char, 4096> piece{};
    const auto take = [&](const pollfd& one, int& descriptor, std::string& text)
    {
        if (one.revents == 0)
            return;
        const ssize_t got = ::read(descriptor, piece.data(), piece.size());
        if (got > 0)
            text.append(piece.data(), static_cast<std::size_t>(got));
        else
        {
            ::close(descriptor);
            descriptor = -1;
        }
    };
    take(polled[0], _output, _rest);
    take(polled[1], _error, _errors);
    for (std::size_t end = _rest.find('\n'); end != std::string::npos; end = _rest.find('\n'))
    {
        _lines.push_back(_rest.substr(0, end));
        _rest.erase(0, end + 1);
    }
    return _output >= 0 || _error >= 0;
}

} // namespace octostore::test
