// SPDX-License-Identifier: MIT
/// @file
/// Sends requests to one server and reads bounded answers.
#pragma once

#include <octostore/base/Mutex.h>
#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/client/Cancellation.h>
#include <octostore/client/Http.h>
#include <octostore/client/ServerUrl.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::client
{

class Connection;
struct Dialing;

struct HttpClientOptions
{
    Milliseconds connectTimeout{5000};
    std::string userAgent = "octostore";
    std::string caBundle; ///< PEM file with further roots; empty: none
    /// Where proxies are looked up: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY and their lower
    /// case forms. Never used for loopback.
    std::map<std::string, std::string> environment;
};

/// Keeps connections for reuse; one that failed is closed, and a request that fails on a reused
/// connection before any answer is sent once more on a fresh one. Redirects are not followed: a
/// secret goes only where the caller said. Thread-safety: thread-safe; every call blocks its thread
/// for as long as the timeout allows, the resolver comes on top.
class HttpClient
{
public:
    static constexpr std::size_t answerMax = std::size_t{1024} * 1024;

    /// Errors: Configuration, the CA bundle cannot be used.
    static Result<std::unique_ptr<HttpClient>> create(ServerUrl server, HttpClientOptions options);
    ~HttpClient();
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    /// One request and its whole answer. `timeout` bounds each wait for the network; who needs a
    /// bound on the whole cancels.
    HttpOutcome send(const HttpRequest& request, Milliseconds timeout,
                     Cancellation& cancellation) noexcept;

    /// Hands over the body of an event stream or a backup as it comes, until it ends, `silence`
    /// passes without a byte, or `sink` returns false. An answer that is no event stream is
    /// returned like send() does; after a stream the body is empty.
    HttpOutcome stream(const HttpRequest& request, Milliseconds timeout, Milliseconds silence,
                       const std::function<bool(std::string_view)>& sink,
                       Cancellation& cancellation) noexcept;

    const ServerUrl& server() const noexcept { return _server; }

private:
    HttpClient(ServerUrl server, std::unique_ptr<Dialing> dialing);
    std::unique_ptr<Connection> takeIdle() OCTOSTORE_EXCLUDES(_mutex);
    void keep(std::unique_ptr<Connection> connection) OCTOSTORE_EXCLUDES(_mutex);

    const ServerUrl _server;
    const std::unique_ptr<Dialing> _dialing;

    Mutex _mutex;
    std::vector<std::unique_ptr<Connection>> _idle OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::client
