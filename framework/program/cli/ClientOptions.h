// SPDX-License-Identifier: MIT
/// @file
/// The options that the client commands share.
#pragma once

#include "Options.h"

#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/client/HoldEvents.h>
#include <octostore/client/HttpClient.h>
#include <octostore/client/ServerUrl.h>
#include <octostore/client/TokenSource.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace octostore::program
{

/// Whether what a command sends is worth stealing.
enum class Secrecy
{
    Nothing,
    Secret,
};

struct ClientOptions
{
    client::ServerUrl server;
    bool json = false;
    Milliseconds connectTimeout{5000};
    Milliseconds requestTimeout{10'000};
    Milliseconds shutdownTimeout{2000};
};

struct HoldOptions
{
    std::chrono::seconds ttl{0};
    /// Nothing: for ever; 0: one attempt.
    std::optional<Milliseconds> acquireTimeout;
};

/// `--server`, `--json`, the timeouts and `--allow-insecure-http`.
std::vector<Option> clientOptions();
/// `--ttl` and `--acquire-timeout`.
std::vector<Option> holdOptions(client::HoldKind kind);
/// `a` and then `b`.
std::vector<Option> operator+(std::vector<Option> a, const std::vector<Option>& b);

/// Errors: InvalidInput, one line: no server, a bad duration, or a secret that would go over plain
/// http to another machine.
Result<ClientOptions> readClientOptions(const Options& options, client::HoldKind kind,
                                        Secrecy secrecy);
Result<HoldOptions> readHoldOptions(const Options& options, client::HoldKind kind);
/// The duration behind `name`, or `otherwise`. Errors: InvalidInput.
Result<Milliseconds> readDuration(const Options& options, const std::string& name,
                                  Milliseconds otherwise);
struct SecondsRange
{
    std::chrono::seconds min;
    std::chrono::seconds max;
    std::chrono::seconds usual; ///< when the option is not given
};
/// The duration behind `name` for a server that knows whole seconds only. Errors: InvalidInput:
/// a part of a second, or out of range.
Result<std::chrono::seconds> readSeconds(const Options& options, const std::string& name,
                                         const SecondsRange& range);

/// Errors: Configuration, OCTOSTORE_CA_BUNDLE cannot be used.
Result<std::shared_ptr<client::HttpClient>> makeHttpClient(const ClientOptions& options);
/// From OCTOSTORE_TOKEN_FILE or OCTOSTORE_TOKEN; a token from the environment is warned of on
/// standard error. Errors: InvalidInput.
Result<client::TokenSource> openToken();

/// A variable of the environment; empty: not set.
std::string variable(const char* name);
/// One line on standard error: `octostore: ...`.
void complain(const std::string& what);
/// complain(), and ExitUsage.
int refuse(const Error& error);

} // namespace octostore::program
