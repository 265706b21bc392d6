// SPDX-License-Identifier: MIT
/// @file
/// The real program, started for a test and ended with it.
#pragma once

#include <octostore/base/Result.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include <sys/types.h>

namespace octostore::test
{

/// One run of the program on a port of its own. Its configuration, database and log are files in
/// the directory given, so another run there is the same server again.
/// Thread-safety: thread-compatible.
class ServerProcess
{
public:
    /// Keys beside those every test server has, or in their place; an empty value leaves the key
    /// out.
    using Properties = std::map<std::string, std::string>;
    /// Variables beside those of the test.
    using Variables = std::map<std::string, std::string>;

    // What every test server has in its configuration.
    static constexpr const char* aliceToken = "alice-secret-token";
    static constexpr const char* bobToken = "bob-secret-token";
    static constexpr const char* carolToken = "carol-secret-token";

    /// Writes what the next server there has in its configuration, and one that runs there when it
    /// is told to read it again; the path of the file.
    static std::string writeConfiguration(const std::filesystem::path& directory,
                                          const Properties& properties);

    /// Starts the program; does not wait until it serves.
    explicit ServerProcess(std::filesystem::path directory, const Properties& properties = {},
                           const Variables& variables = {});
    /// Kills it if it still runs.
    ~ServerProcess();
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;

    /// Waits until it says which port it serves; 0 when it listens on a socket path. Errors:
    /// Unavailable when it ends before or takes too long; the message has its log.
    Result<std::uint16_t> port();
    pid_t pid() const noexcept { return _pid; }

    void signal(int number) const;
    /// Waits for its end. The exit code, or 128 + the signal that killed it; nothing within
    /// `patience` is -1, and then it is killed.
    int waitForEnd(std::chrono::seconds patience = std::chrono::seconds(120));
    /// Everything this run wrote to standard output and standard error.
    std::string log() const;

private:
    /// Whether it has ended, without waiting.
    bool ended();

    const std::filesystem::path _directory;
    std::string _logFile;
    pid_t _pid = -1;
    int _exitCode = -1;
    bool _ended = false;
    std::uint16_t _port = 0;
};

} // namespace octostore::test
