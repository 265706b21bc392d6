// SPDX-License-Identifier: MIT
/// @file
/// A small blocking HTTP client that also sends what no proper client would.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::test
{

struct HttpResponse
{
    int status = 0;
    std::map<std::string, std::string> headers; ///< names in lower case
    std::string body;                           ///< decoded if chunked

    std::string header(const std::string& name) const
    {
        const auto found = headers.find(name);
        return found == headers.end() ? std::string() : found->second;
    }
};

/// One connection. Every wait ends after `patience`, then the call says that nothing came.
/// Thread-safety: thread-compatible.
class HttpClient
{
public:
    /// Connects to 127.0.0.1, to [::1] or to a path.
    explicit HttpClient(std::uint16_t port);
    static HttpClient ipv6(std::uint16_t port);
    static HttpClient local(const std::string& path);
    HttpClient(HttpClient&& other) noexcept;
    HttpClient& operator=(HttpClient&&) = delete;
    ~HttpClient();

    bool connected() const { return _socket >= 0; }
    /// Sends raw bytes; false when the connection broke.
    bool send(std::string_view bytes);
    /// `GET target HTTP/1.1` with a Host, and what `headers` adds (`Name: value\r\n`).
    bool get(std::string_view target, std::string_view headers = {});
    bool post(std::string_view target, std::string_view body, std::string_view headers = {});

    /// The next answer; nothing when the connection ends or patience runs out before it is whole.
    /// `head`: the answer to HEAD has no body.
    std::optional<HttpResponse> receive(bool head = false);
    /// Only the head of the next answer; the body is left for readChunk() or readToEnd().
    std::optional<HttpResponse> receiveHead();
    /// The body of the answer whose head has come; nothing as for receive().
    std::optional<HttpResponse> receiveRest(HttpResponse head);
    /// The next chunk of a chunked body; empty: the last one; nothing: none came.
    std::optional<std::string> readChunk();
    /// Whatever comes until the server closes; nothing when it does not.
    std::optional<std::string> readToEnd();
    /// Whether the server closes, with nothing coming before.
    bool closedByServer();
    /// Whether nothing comes within `time`.
    bool silentFor(std::chrono::milliseconds time);

    /// Ends our side only.
    void finishSending();
    void close();
    /// Closes with RST.
    void reset();
    /// Makes the receive buffer of the kernel as small as it can be; before much has come.
    void shrinkReceiveBuffer();

    std::chrono::milliseconds patience{60'000}; ///< only what never comes is found by it
    /// Whether the server is the real one, so that what it answers to get() and post() is written
    /// down. Set before they are called; send() is not followed.
    bool noted = false;

private:
    HttpClient() = default;

    enum class Arrived
    {
        Bytes,
        End,
        Nothing,
    };
    Arrived more(std::chrono::milliseconds patience);
    std::optional<std::string> takeUntil(std::string_view end);
    std::optional<std::string> takeBytes(std::size_t count);
    std::optional<std::string> readChunks();

    struct Asked
    {
        std::string method;
        std::string target;
        std::string frames; ///< of a stream: the beginning of the next one
        bool streams = false;
    };
    void note(const HttpResponse& answer);

    int _socket = -1;
    std::string _buffer;
    std::deque<Asked> _asked; ///< the first one is answered next, or is being answered
};

} // namespace octostore::test
