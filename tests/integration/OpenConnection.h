// SPDX-License-Identifier: MIT
/// @file
/// A connection whose questions are asked now and whose answers are read later, or never.
#pragma once

#include "ServerClient.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::test
{

/// Several questions may be under way (pipelining). Thread-safety: thread-compatible.
class OpenConnection
{
public:
    /// So long that only a hanging server is found by it.
    static constexpr std::chrono::seconds patience{100};

    /// Connects at once. What the socket refuses shows as answers that do not come.
    OpenConnection(std::uint16_t port, std::string_view token = {});
    ~OpenConnection();

    /// POST, sent whole; does not wait for the answer.
    void ask(const std::string& target, const std::string& body);
    /// POST without its body; the server is asked to say 100 when it has read that much.
    void begin(const std::string& target, std::size_t bodySize);
    void send(const std::string& bytes);

    /// Whether an answer, or the end of the connection, is there within `atMost`.
    bool readable(std::chrono::milliseconds atMost) const;
    /// The next answer whole; nothing when the connection ends before or it takes too long.
    std::optional<ServerAnswer> answer();
    /// Ends this side and waits until the server has ended its own: then it knows.
    bool leave();
    /// The first of them that is readable within `patience`; nothing when none is.
    static std::optional<std::size_t>
    firstReadable(const std::vector<std::unique_ptr<OpenConnection>>& connections);

private:
    class Socket;

    bool receive();
    std::optional<ServerAnswer> takeAnswer();

    std::unique_ptr<Socket> _socket;
    std::string _authorization;
    std::string _received;
};

} // namespace octostore::test
