// SPDX-License-Identifier: MIT
#include "ServerProcess.h"

#include "ChildProcess.h"

#include <octostore/base/Assert.h>
#include <octostore/base/Json.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace octostore::test
{

namespace
{

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds pollInterval{2};
constexpr std::chrono::seconds startPatience{120};

/// Between fork and exec only what is safe in a process of many threads.
[[noreturn]] void become(const char* program, char* const* arguments, char* const* environment,
                         int log, const char* directory)
{
    // A test that dies takes its servers with it.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (chdir(directory) == 0 && dup2(log, STDOUT_FILENO) >= 0 && dup2(log, STDERR_FILENO) >= 0)
        execve(program, arguments, environment);
    _exit(127);
}

/// From the line that says where the server serves; 0 for a socket in the file system.
std::optional<std::uint16_t> portIn(const std::string& log)
{
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);)
    {
        const auto object = readJson(line);
        if (!object)
            continue;
        const auto message = JsonFields(*object).optionalString("msg");
        const auto address = JsonFields(*object).optionalString("address");
        if (message && *message == "serving" && address && *address)
            return (*address)->starts_with("unix:")
                       ? std::uint16_t{0}
                       : static_cast<std::uint16_t>(
                             std::stoul((*address)->substr((*address)->rfind(':') + 1)));
    }
    return std::nullopt;
}

} // namespace

std::string ServerProcess::writeConfiguration(const std::filesystem::path& directory,
                                              const Properties& properties)
{
    ServerProcess::Properties all = {
        {"server.bind", "127.0.0.1:0"},
        {"storage.database", (directory / "octostore.db").string()},
        {"auth.static.tokens", std::string("alice:") + ServerProcess::aliceToken + ",bob:" +
                                   ServerProcess::bobToken + ",carol:" + ServerProcess::carolToken},
        {"log.format", "json"},
    };
    for (const auto& [key, value] : properties)
        all[key] = value;

    const std::string path = (directory / "octostore.properties").string();
    std::ofstream file(path);
    std::filesystem::permissions(path, std::filesystem::perms::owner_read |
                                           std::filesystem::perms::owner_write);
    for (const auto& [key, value] : all)
    {
        if (!value.empty())
            file << key << " = " << value << '\n';
    }
    return path;
}

ServerProcess::ServerProcess(std::filesystem::path directory, const Properties& properties,
                             const Variables& variables)
    : _directory(std::move(directory))
{
    static std::atomic<unsigned> runs{0};
    _logFile = (_directory / ("server-" + std::to_string(++runs) + ".log")).string();

    const std::string program = programFile();
    std::vector<std::string> words = {program, "serve", "--config",
                                      writeConfiguration(_directory, properties)};
    std::vector<std::string> settings = childEnvironment(variables);
    const std::vector<char*> arguments = pointersTo(words);
    const std::vector<char*> environment = pointersTo(settings);
    const std::string place = _directory.string();

    const int log = open(_logFile.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    OCTOSTORE_ASSERT(log >= 0);
    _pid = fork();
    OCTOSTORE_ASSERT(_pid >= 0);
    if (_pid == 0)
        become(program.c_str(), arguments.data(), environment.data(), log, place.c_str());
    close(log);
}

ServerProcess::~ServerProcess()
{
    if (ended())
        return;
    signal(SIGKILL);
    waitForEnd();
}

Result<std::uint16_t> ServerProcess::port()
{
    const auto giveUp = Clock::now() + startPatience;
    while (_port == 0)
    {
        const bool over = ended();
        if (const auto found = portIn(log()))
            return _port = *found;
        else if (over || Clock::now() > giveUp)
            return Error{ErrorCode::Unavailable, "the server does not serve:\n" + log()};
        else
            std::this_thread::sleep_for(pollInterval);
    }
    return _port;
}

void ServerProcess::signal(int number) const
{
    if (!_ended)
        kill(_pid, number);
}

int ServerProcess::waitForEnd(std::chrono::seconds patience)
{
    const auto giveUp = Clock::now() + patience;
    while (!ended())
    {
        if (Clock::now() > giveUp)
        {
            signal(SIGKILL);
            int status = 0;
            waitpid(_pid, &status, 0);
            _ended = true;
            return -1;
        }
        std::this_thread::sleep_for(pollInterval);
    }
    return _exitCode;
}

std::string ServerProcess::log() const
{
    std::ifstream file(_logFile, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

bool ServerProcess::ended()
{
    int status = 0;
    if (_ended || waitpid(_pid, &status, WNOHANG) != _pid)
        return _ended;
    _ended = true;
    _exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return true;
}

} // namespace octostore::test
