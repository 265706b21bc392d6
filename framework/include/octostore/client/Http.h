// SPDX-License-Identifier: MIT
/// @file
/// What is asked of a server, and what came of it.
#pragma once

#include <octostore/base/Time.h>

#include <string>
#include <variant>

namespace octostore::client
{

struct HttpRequest
{
    std::string method = "GET";
    std::string path; ///< with query; relative to the server's base path
    std::string body; ///< JSON; empty: none
    std::string bearer;
    std::string lastEventId; ///< of an event stream; empty: none
};

struct HttpAnswer
{
    int status = 0;
    std::string contentType;
    std::string location;
    std::string body;
    std::string sha256{}; ///< of the body of a backup, in hex, as the server says
};

/// Why there is no answer.
enum class TransportFault
{
    UnknownHost, ///< The name does not exist; the URL is wrong.
    Unreachable, ///< Nobody answers there (now).
    Certificate, ///< The server could not prove who it is; configuration or an attack.
    Timeout,     ///< No whole answer in time; the server may have acted.
    Broken,      ///< The connection ended early or spoke no HTTP; the server may have acted.
    TooLarge,    ///< The answer is longer than HttpClient::answerMax.
    Cancelled,   ///< The caller gave up; the server may have acted.
};

struct TransportFailure
{
    TransportFault fault;
    std::string message; ///< for a person: what happened with which host
};

using HttpOutcome = std::variant<HttpAnswer, TransportFailure>;

} // namespace octostore::client
