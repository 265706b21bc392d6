// SPDX-License-Identifier: MIT
#include "Remote.h"

#include "OneShot.h"

#include <utility>

namespace octostore::program
{

using client::Failure;
using client::HoldKind;
using client::HttpAnswer;
using client::HttpOutcome;

Result<Remote> Remote::open(const Options& options, Credential credential)
{
    // What needs a token has no default server, as for holds: a token goes only where it is meant.
    const HoldKind kind = credential == Credential::Token ? HoldKind::Lock : HoldKind::Election;
    const Secrecy secrecy = credential == Credential::Nothing ? Secrecy::Nothing : Secrecy::Secret;
    auto read = readClientOptions(options, kind, secrecy);
    if (!read)
        return read.error();
    Remote remote(*std::move(read));
    auto http = makeHttpClient(remote._options);
    if (!http)
        return http.error();
    remote._http = *std::move(http);
    if (credential == Credential::Token)
    {
        auto token = openToken();
        if (!token)
            return token.error();
        remote._token = *std::move(token);
    }
    return remote;
}

HttpOutcome Remote::send(const std::string& method, const std::string& path,
                         const std::string& body)
{
    return ask(_http, {method, path, body, token(), ""}, _options);
}

std::variant<JsonValue, Failure> Remote::call(const std::string& method, const std::string& path,
                                              int status, const std::string& body)
{
    return readValue(send(method, path, body), status);
}

JsonValue::Object Remote::object(const std::string& method, const std::string& path, int status,
                                 const std::string& body)
{
    auto answer = client::readObject(send(method, path, body), status);
    if (const auto* failure = std::get_if<Failure>(&answer))
        leave(explain(*failure));
    return std::get<JsonValue::Object>(std::move(answer));
}

std::variant<JsonValue, Failure> readValue(const HttpOutcome& outcome, int status)
{
    const auto* answer = std::get_if<HttpAnswer>(&outcome);
    if (answer == nullptr || answer->status != status)
        return client::readFailure(outcome);
    if (answer->body.empty())
        return JsonValue();
    // The reader takes objects only; an array or null is read as a member of one.
    const auto wrapped = readJson("{\"value\":" + answer->body + "}");
    if (!wrapped || wrapped->size() != 1)
        return client::invalidResponse("the server's answer is no JSON");
    return wrapped->begin()->second;
}

} // namespace octostore::program
