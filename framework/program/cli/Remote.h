// SPDX-License-Identifier: MIT
/// @file
/// The server, as a command that asks it once or twice sees it.
#pragma once

#include "ClientOptions.h"

#include <octostore/base/Json.h>
#include <octostore/client/Failure.h>
#include <octostore/client/HttpClient.h>
#include <octostore/client/TokenSource.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace octostore::program
{

/// What a command has to show.
enum class Credential
{
    Nothing, ///< of the caller's own; a leader token counts as Nothing but travels as a secret
    Secret,  ///< no bearer token, but what is sent is worth stealing
    Token,   ///< a bearer token
};

/// Thread-safety: thread-compatible; every call blocks until the answer or the request timeout.
class Remote
{
public:
    /// Errors: InvalidInput (no server, no token, plain http to another machine), Configuration.
    static Result<Remote> open(const Options& options, Credential credential);

    client::HttpOutcome send(const std::string& method, const std::string& path,
                             const std::string& body = {});
    /// The JSON value of an answer with that status: also an array or null; null for no body.
    std::variant<JsonValue, client::Failure> call(const std::string& method,
                                                  const std::string& path, int status,
                                                  const std::string& body = {});
    /// As call(), for an object; a failure is explained and ends the process.
    JsonValue::Object object(const std::string& method, const std::string& path, int status,
                             const std::string& body = {});

    /// The server may take that long on top of the request timeout.
    void allow(Milliseconds wait) { _options.requestTimeout += wait; }
    bool json() const noexcept { return _options.json; }
    const ClientOptions& options() const noexcept { return _options; }
    const std::shared_ptr<client::HttpClient>& http() const noexcept { return _http; }
    std::string token() { return _token ? _token->token() : std::string(); }

private:
    explicit Remote(ClientOptions options) : _options(std::move(options)) {}

    ClientOptions _options;
    std::shared_ptr<client::HttpClient> _http;
    std::optional<client::TokenSource> _token;
};

/// The value of an answer with that status. An answer without a body is null.
std::variant<JsonValue, client::Failure> readValue(const client::HttpOutcome& outcome, int status);

} // namespace octostore::program
