// SPDX-License-Identifier: MIT
#include "ClientOptions.h"

#include "ExitCode.h"

#include <octostore/client/Duration.h>
#include <octostore/config/Sources.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <utility>

#include <unistd.h>

namespace octostore::program
{

namespace
{

using client::HoldKind;

SecondsRange ttlRange(HoldKind kind)
{
    using std::chrono::seconds;
    return kind == HoldKind::Election ? SecondsRange{seconds(5), seconds(300), seconds(30)}
                                      : SecondsRange{seconds(1), seconds(3600), seconds(120)};
}

std::string describe(const SecondsRange& range)
{
    return "how long the lease lasts without a renewal, " + std::to_string(range.min.count()) +
           ".." + std::to_string(range.max.count()) + "s; default " +
           std::to_string(range.usual.count()) + "s";
}

Result<std::string> serverText(const Options& options, HoldKind kind)
{
    std::string text = options.value("server");
    if (options.has("server") && text.empty())
        return Error{ErrorCode::InvalidInput, "--server needs a URL"};
    if (text.empty())
        text = variable("OCTOSTORE_URL");
    if (text.empty() && kind == HoldKind::Lock)
        return Error{ErrorCode::InvalidInput, "no server; give --server URL or set OCTOSTORE_URL"};
    return text.empty() ? "http://localhost:3000" : text;
}

} // namespace

std::vector<Option> clientOptions()
{
    return {
        {"server", 0, "URL", "where the server is, also unix:/PATH; else OCTOSTORE_URL"},
        {"json", 0, "", "JSON lines instead of text"},
        {"connect-timeout", 0, "DURATION", "for one connection; default 5s"},
        {"request-timeout", 0, "DURATION", "for one request; default 10s"},
        {"shutdown-timeout", 0, "DURATION", "for giving the lease back at the end; default 2s"},
        {"allow-insecure-http", 0, "", "let secrets travel over http to another machine"},
        {"help", 'h', "", "this text"},
    };
}

std::vector<Option> holdOptions(HoldKind kind)
{
    return {
        {"ttl", 0, "DURATION", describe(ttlRange(kind))},
        {"acquire-timeout", 0, "DURATION", "give up waiting; 0: one attempt; default: never"},
    };
}

std::vector<Option> operator+(std::vector<Option> a, const std::vector<Option>& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

Result<Milliseconds> readDuration(const Options& options, const std::string& name,
                                  Milliseconds otherwise)
{
    if (!options.has(name))
        return otherwise;
    const auto duration = client::parseDuration(options.value(name));
    if (!duration)
        return Error{ErrorCode::InvalidInput, "--" + name + ": " + duration.error().message};
    return duration;
}

Result<std::chrono::seconds> readSeconds(const Options& options, const std::string& name,
                                         const SecondsRange& range)
{
    const auto duration = readDuration(options, name, range.usual);
    if (!duration)
        return duration.error();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*duration);
    if (seconds != *duration || seconds < range.min || seconds > range.max)
        return Error{ErrorCode::InvalidInput, "--" + name + " must be whole seconds, " +
                                                  std::to_string(range.min.count()) + ".." +
                                                  std::to_string(range.max.count())};
    return seconds;
}

Result<ClientOptions> readClientOptions(const Options& options, HoldKind kind, Secrecy secrecy)
{
    const auto text = serverText(options, kind);
    if (!text)
        return text.error();
    auto server = client::ServerUrl::parse(*text);
    if (!server)
        return server.error();
    if (secrecy == Secrecy::Secret && !server->secure() && !server->isLoopback() &&
        !options.has("allow-insecure-http"))
        return Error{ErrorCode::InvalidInput,
                     "a secret would go over plain http to " + server->host() +
                         "; use https, or --allow-insecure-http if the network is trusted"};
    ClientOptions result{*std::move(server)};
    result.json = options.has("json");
    struct Timeout
    {
        const char* name;
        Milliseconds& value;
    };
    for (const Timeout& timeout : {Timeout{"connect-timeout", result.connectTimeout},
                                   Timeout{"request-timeout", result.requestTimeout},
                                   Timeout{"shutdown-timeout", result.shutdownTimeout}})
    {
        const auto value = readDuration(options, timeout.name, timeout.value);
        if (!value)
            return value.error();
        if (value->count() == 0)
            return Error{ErrorCode::InvalidInput,
                         "--" + std::string(timeout.name) + " must be more than 0"};
        timeout.value = *value;
    }
    return result;
}

Result<HoldOptions> readHoldOptions(const Options& options, HoldKind kind)
{
    const auto ttl = readSeconds(options, "ttl", ttlRange(kind));
    if (!ttl)
        return ttl.error();
    HoldOptions result;
    result.ttl = *ttl;
    if (options.has("acquire-timeout"))
    {
        const auto timeout = readDuration(options, "acquire-timeout", Milliseconds(0));
        if (!timeout)
            return timeout.error();
        result.acquireTimeout = *timeout;
    }
    return result;
}

Result<std::shared_ptr<client::HttpClient>> makeHttpClient(const ClientOptions& options)
{
    client::HttpClientOptions httpOptions;
    httpOptions.connectTimeout = options.connectTimeout;
    httpOptions.userAgent = "octostore/" OCTOSTORE_VERSION;
    httpOptions.caBundle = variable("OCTOSTORE_CA_BUNDLE");
    httpOptions.environment = config::readEnvironment(environ);
    auto http = client::HttpClient::create(options.server, std::move(httpOptions));
    if (!http)
        return http.error();
    return std::shared_ptr<client::HttpClient>(*std::move(http));
}

Result<client::TokenSource> openToken()
{
    auto source =
        client::TokenSource::open(variable("OCTOSTORE_TOKEN_FILE"), variable("OCTOSTORE_TOKEN"));
    if (source && source->fromEnvironment())
        complain("warning: the token comes from OCTOSTORE_TOKEN, which other processes of this "
                 "user can see; OCTOSTORE_TOKEN_FILE is safer");
    return source;
}

std::string variable(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody sets any
    return value == nullptr ? "" : value;
}

void complain(const std::string& what)
{
    std::cerr << "octostore: " + what + "\n" << std::flush;
}

int refuse(const Error& error)
{
    complain(error.message);
    return ExitUsage;
}

} // namespace octostore::program
