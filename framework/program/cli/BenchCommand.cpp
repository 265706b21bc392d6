// SPDX-License-Identifier: MIT
#include "cli/BenchCommand.h"

#include "DescriptorLimit.h"
#include "ExitCode.h"
#include "Options.h"

#include <octostore/base/Digest.h>
#include <octostore/base/Random.h>
#include <octostore/bench/LoadLoop.h>
#include <octostore/bench/Report.h>
#include <octostore/bench/Workload.h>
#include <octostore/client/Duration.h>
#include <octostore/client/ServerUrl.h>
#include <octostore/client/TokenSource.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>

#include <sys/signalfd.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

const std::vector<Option> benchKnown = {
    {"server", 's', "URL",
     "the server, also unix:/PATH; else OCTOSTORE_URL, else http://localhost:3000", false},
    {"connections", 'c', "N", "keep-alive connections, one request in flight on each (64)", false},
    {"rate", 'r', "N", "requests a second of all together; else as many as are answered", false},
    {"duration", 'd', "TIME", "how long is measured (10s), after a second that is not", false},
    {"names", 'n', "N", "locks or rooms of locks, elections and mix (100 for each connection)",
     false},
    {"ttl", 't', "TIME", "of every lease (60s)", false},
    {"token-file", 0, "FILE", "bearer token; else OCTOSTORE_TOKEN_FILE or OCTOSTORE_TOKEN", false},
    {"json", 0, "", "print one JSON object instead of a table", false},
    {"allow-insecure-http", 0, "", "send the token over the network unprotected", false},
    {"help", 'h', "", "print this", false},
};

constexpr std::string_view help =
    "How much a server takes, and how fast it answers.\n\n"
    "Usage: octostore bench KIND [OPTIONS]\n\n"
    "  locks       acquire and release, in turn\n"
    "  elections   campaign and resign, in turn; needs no token\n"
    "  acquire     acquire only, every name once\n"
    "  renew       each connection renews a lease of its own\n"
    "  status      each connection asks about a lease of its own\n"
    "  mix         six of ten requests renew, three ask, one acquires or releases\n\n"
    "Without a token, rooms are used instead of locks. The server's limits hold: an account has\n"
    "locks.per_principal_max locks, an address elections.requests_per_minute requests.\n\n";

struct Plan
{
    std::string kind;
    bench::WorkloadOptions workload;
    bench::LoadOptions load;
    bool json = false;
    std::string place; ///< of the server, for people
};

std::string environment(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody sets any
    return value == nullptr ? "" : value;
}

Error wrong(std::string message)
{
    return {ErrorCode::InvalidInput, std::move(message)};
}

/// `otherwise` when the option was not given.
Result<std::size_t> number(const Options& options, const char* name, std::size_t least,
                           std::size_t most, std::size_t otherwise)
{
    if (!options.has(name))
        return otherwise;
    const std::string text = options.value(name);
    std::size_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || value < least || value > most)
        return wrong("--" + std::string(name) + " must be a number from " + std::to_string(least) +
                     " to " + std::to_string(most));
    return value;
}

Result<Milliseconds> duration(const Options& options, const char* name, Milliseconds otherwise)
{
    if (!options.has(name))
        return otherwise;
    auto parsed = client::parseDuration(options.value(name));
    if (!parsed)
        return wrong("--" + std::string(name) + ": " + parsed.error().message);
    return parsed;
}

/// Empty when there is none; then rooms are used.
Result<std::string> token(const Options& options)
{
    const std::string file = options.has("token-file") ? options.value("token-file")
                                                       : environment("OCTOSTORE_TOKEN_FILE");
    const std::string value = environment("OCTOSTORE_TOKEN");
    if (file.empty() && value.empty())
        return std::string();
    auto source = client::TokenSource::open(file, value);
    if (!source)
        return source.error();
    return source->token();
}

Result<void> aim(Plan& plan, const Options& options)
{
    std::string text =
        options.has("server") ? options.value("server") : environment("OCTOSTORE_URL");
    if (text.empty())
        text = "http://localhost:3000";
    const auto url = client::ServerUrl::parse(text);
    if (!url)
        return url.error();
    if (url->secure())
        return wrong("bench speaks plain http only: measure the server, not the proxy before it");
    auto secret = token(options);
    if (!secret)
        return secret.error();
    if (!secret->empty() && !url->isLoopback() && !options.has("allow-insecure-http"))
        return wrong("the token would go over the network unprotected; see --allow-insecure-http");
    plan.load.host = url->socketPath().empty() ? url->host() : url->socketPath();
    plan.load.port = url->port();
    plan.place = url->text();
    plan.workload.authority = url->authority();
    plan.workload.basePath = url->basePath();
    plan.workload.token = *std::move(secret);
    return {};
}

Result<void> size(Plan& plan, const Options& options)
{
    constexpr std::size_t connectionsMax = 60'000;
    constexpr std::size_t many = 1'000'000'000;
    const auto connections = number(options, "connections", 1, connectionsMax, 64);
    const auto rate = number(options, "rate", 1, many, 0);
    const auto names = number(options, "names", 1, many, 0);
    const auto ttl = duration(options, "ttl", std::chrono::seconds(60));
    const auto measured = duration(options, "duration", std::chrono::seconds(10));
    for (const auto* each : {&connections, &rate, &names})
    {
        if (!*each)
            return each->error();
    }
    for (const auto* each : {&ttl, &measured})
    {
        if (!*each)
            return each->error();
    }
    plan.workload.connections = *connections;
    plan.workload.names = *names;
    plan.workload.ttl = std::chrono::duration_cast<std::chrono::seconds>(*ttl);
    if (plan.workload.ttl != *ttl)
        return wrong("--ttl must be whole seconds");
    plan.load.rate = static_cast<double>(*rate);
    plan.load.duration = *measured;
    return {};
}

Result<Plan> makePlan(const Options& options)
{
    const Words& words = options.arguments();
    const auto kind = words.size() == 1 ? bench::parseWorkload(words[0]) : std::nullopt;
    if (!kind)
        return wrong("bench needs one of locks, elections, acquire, renew, status and mix");
    Plan plan;
    plan.kind = words[0];
    plan.workload.kind = *kind;
    plan.json = options.has("json");
    SystemRandom random;
    plan.workload.run = toHex(random.bytes<4>());
    if (auto aimed = aim(plan, options); !aimed)
        return aimed.error();
    if (auto sized = size(plan, options); !sized)
        return sized.error();
    return plan;
}

/// A descriptor that becomes readable when the user has had enough.
int interruption()
{
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGINT);
    ::sigaddset(&signals, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int run(Plan& plan)
{
    auto clients = bench::makeClients(plan.workload);
    if (!clients)
        return usageError(clients.error().message, "bench");
    raiseDescriptorLimit();
    plan.load.stopDescriptor = interruption();
    const bool live = ::isatty(STDERR_FILENO) == 1;
    if (live)
        plan.load.progress = [](const bench::LoadResult& soFar)
        { std::cerr << "\r" << bench::progressLine(soFar) << "\x1b[K" << std::flush; };
    const auto result = bench::runLoad(plan.load, *clients);
    if (live)
        std::cerr << "\r\x1b[K";
    if (!result)
    {
        std::cerr << "octostore: " << result.error().message << "\n";
        return result.error().code == ErrorCode::AuthenticationFailed ? ExitUsage : ExitFailure;
    }
    const std::size_t connections = clients->size();
    if (plan.json)
        std::cout << bench::jsonReport(plan.kind, connections, *result) << "\n";
    else
        std::cout << bench::textReport(plan.kind + ", " + std::to_string(connections) +
                                           " connections, " + plan.place,
                                       *result);
    return result->failures() == 0 && result->answers() != 0 ? ExitOk : ExitFailure;
}

} // namespace

std::vector<Option> benchOptions()
{
    return benchKnown;
}

int benchCommand(const Words& arguments)
{
    const auto options = Options::parse(benchKnown, arguments);
    if (!options)
        return usageError(options.error().message, "bench");
    if (options->has("help"))
    {
        std::cout << help << Options::describe(benchKnown);
        return ExitOk;
    }
    auto plan = makePlan(*options);
    return plan ? run(*plan) : usageError(plan.error().message, "bench");
}

} // namespace octostore::program
