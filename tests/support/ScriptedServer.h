// SPDX-License-Identifier: MIT
/// @file
/// An HTTP server that answers what the test says, also what no server should say.
#pragma once

#include "ConnectionHost.h"

#include <octostore/base/Mutex.h>
#include <octostore/base/Time.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace octostore::test
{

struct SeenRequest
{
    std::string method;
    std::string path;                           ///< with query
    std::map<std::string, std::string> headers; ///< names in lower case
    std::string body;
    std::size_t connection = 0; ///< counts from 0
};

/// How one request is answered.
struct ScriptedReply
{
    int status = 200;
    std::string body;
    std::vector<std::string> headers; ///< whole lines without the line end
    Milliseconds delay{0};            ///< before the answer
    std::string raw;                  ///< if not empty: these bytes instead of all that
    bool close = false;               ///< after the answer
    bool hang = false;                ///< no answer; the connection stays open
};

ScriptedReply jsonReply(std::string body, int status = 200);
/// An error envelope; `more` are further members, `"a":1`.
ScriptedReply errorReply(int status, const std::string& code, const std::string& more = {});

/// Listens on a free port of 127.0.0.1. Thread-safety: thread-safe; the handler runs on the
/// connections' threads, one call at a time.
class ScriptedServer
{
public:
    using Handler = std::function<ScriptedReply(const SeenRequest&)>;

    explicit ScriptedServer(Handler handler);
    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;

    std::uint16_t port() const noexcept { return _host.port(); }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(port()); }
    std::vector<SeenRequest> requests() const OCTOSTORE_EXCLUDES(_mutex);
    /// How many requests with this method and path (without query) came.
    std::size_t count(const std::string& method, const std::string& path) const;
    /// False if it has not come in time.
    bool waitFor(const std::string& method, const std::string& path,
                 Milliseconds timeout = Milliseconds(60'000)) OCTOSTORE_EXCLUDES(_mutex);
    void setHandler(Handler handler) OCTOSTORE_EXCLUDES(_handlerMutex);
    /// Ends every connection and accepts no more.
    void stop() { _host.stop(); }

private:
    void serve(int socket, std::size_t number);
    bool answer(int socket, const SeenRequest& request);

    Mutex _handlerMutex;
    Handler _handler OCTOSTORE_GUARDED_BY(_handlerMutex);

    mutable Mutex _mutex;
    std::condition_variable _seen;
    std::vector<SeenRequest> _requests OCTOSTORE_GUARDED_BY(_mutex);
    ConnectionHost _host; // last: its threads use the rest
};

} // namespace octostore::test
