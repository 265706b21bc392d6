// SPDX-License-Identifier: MIT
#include "RunningProgram.h"

#include "support/ChildProcess.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

/// Appends what can be read now; false at the end.
bool readSome(int descriptor, std::string& text)
{
    char block[4096];
    ssize_t count = 0;
    do
        count = read(descriptor, block, sizeof block);
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        return false;
    text.append(block, static_cast<std::size_t>(count));
    return true;
}

std::vector<std::string> strictEnvironment(std::vector<std::string> environment)
{
    for (const char* name : {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"})
    {
        if (const char* value = std::getenv(name); value != nullptr)
            environment.push_back(std::string(name) + "=" + value);
    }
    return environment;
}

} // namespace

RunningProgram::RunningProgram(const Words& arguments, const Words& environment)
{
    Words words = arguments;
    words.insert(words.begin(), test::programFile());
    Words variables = strictEnvironment(environment);
    const std::vector<char*> argv = test::pointersTo(words);
    const std::vector<char*> envp = test::pointersTo(variables);

    int output[2] = {};
    int log[2] = {};
    if (pipe2(output, O_CLOEXEC) != 0 || pipe2(log, O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe");
    _child = fork();
    if (_child == 0)
    {
        dup2(output[1], STDOUT_FILENO);
        dup2(log[1], STDERR_FILENO);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr);
        execve(argv[0], argv.data(), envp.data());
        _exit(127);
    }
    close(output[1]);
    close(log[1]);
    _outputEnd = output[0];
    _logEnd = log[0];
}

RunningProgram::~RunningProgram()
{
    if (_child > 0)
    {
        kill(_child, SIGKILL);
        waitpid(_child, nullptr, 0);
    }
    close(_outputEnd);
    close(_logEnd);
}

std::optional<std::string> RunningProgram::waitForLine(const std::string& part)
{
    while (true)
    {
        for (std::size_t end = _log.find('\n', _lineStart); end != std::string::npos;
             end = _log.find('\n', _lineStart))
        {
            const std::string line = _log.substr(_lineStart, end - _lineStart);
            _lineStart = end + 1;
            if (line.find(part) != std::string::npos)
                return line;
        }
        if (!readSome(_logEnd, _log))
            return std::nullopt;
    }
}

void RunningProgram::signal(int number) const
{
    kill(_child, number);
}

int RunningProgram::wait()
{
    while (readSome(_logEnd, _log))
    {
    }
    while (readSome(_outputEnd, _output))
    {
    }
    int status = 0;
    waitpid(_child, &status, 0);
    _child = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string get(std::uint16_t port, const std::string& target)
{
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer;
    if (connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0)
    {
        const std::string request =
            "GET " + target + " HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n";
        if (write(descriptor, request.data(), request.size()) ==
            static_cast<ssize_t>(request.size()))
        {
            while (readSome(descriptor, answer))
            {
            }
        }
    }
    close(descriptor);
    return answer;
}

} // namespace octostore::program
