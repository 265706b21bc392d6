// SPDX-License-Identifier: MIT
#include "DoctorCommand.h"

#include "Claim.h"
#include "ClientOptions.h"
#include "DeadlineFile.h"
#include "ExitCode.h"
#include "GuardianLaunch.h"
#include "HttpStatus.h"
#include "OneShot.h"

#include <octostore/base/Json.h>
#include <octostore/client/Failure.h>

#include <iostream>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

enum class State
{
    Good,
    Note, ///< works, but could be better
    Bad,
};

struct Check
{
    std::string name;
    State state;
    std::string message;
};

using Checks = std::vector<Check>;

std::string_view toText(State state)
{
    switch (state)
    {
    case State::Good:
        return "ok";
    case State::Note:
        return "note";
    case State::Bad:
        return "bad";
    }
    return "bad";
}

/// Whether a guardian can be started in this containment.
Result<void> tryContainment(ContainmentChoice choice)
{
    GuardianOrders orders;
    const auto guardian = launchGuardian(orders, choice);
    if (!guardian)
        return guardian.error();
    ::close(guardian->socket);
    ::waitpid(guardian->pid, nullptr, 0);
    if (orders.cgroup)
        orders.cgroup->remove();
    return {};
}

/// Before the first thread.
void checkContainment(Checks& checks)
{
    const auto inNamespace = tryContainment(ContainmentChoice::Namespace);
    const auto inCgroup = tryContainment(ContainmentChoice::Cgroup);
    if (inNamespace)
        checks.push_back({"run", State::Good,
                          "commands run in a PID namespace: whatever dies, they die with it"});
    else if (inCgroup)
        checks.push_back({"run", State::Note,
                          "commands run in a cgroup, not in a PID namespace (" +
                              inNamespace.error().message +
                              "): they outlive a KILL of client and guardian at once"});
    else
        checks.push_back({"run", State::Note,
                          "commands are kept together as a process group only (namespace: " +
                              inNamespace.error().message +
                              "; cgroup: " + inCgroup.error().message +
                              "): they outlive a KILL of client and guardian at once"});
    if (const auto file = DeadlineFile::create())
        file->remove();
    else
        checks.push_back({"run", State::Bad, file.error().message});
}

void checkClock(Checks& checks)
{
    const int timer = ::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
    if (timer >= 0)
        ::close(timer);
    checks.push_back({"clock", timer >= 0 ? State::Good : State::Bad,
                      timer >= 0 ? "CLOCK_BOOTTIME timers work, also across a suspension"
                                 : "there are no CLOCK_BOOTTIME timers"});
}

/// Whether it answered at all.
bool checkServer(const ClientOptions& options, const std::shared_ptr<client::HttpClient>& http,
                 Checks& checks)
{
    const SystemClock clock;
    const BootTime before = clock.bootTime();
    const auto read =
        client::readObject(ask(http, {"GET", "/health", "", "", ""}, options), httpOk);
    const auto took = wholeMilliseconds(clock.bootTime() - before);
    const std::string server = options.server.text();
    const auto* failure = std::get_if<client::Failure>(&read);
    if (failure != nullptr)
        checks.push_back(
            {"server", State::Bad,
             failure->status == 0 ? failure->message : server + ": " + failure->message});
    else if (textMember(std::get<JsonValue::Object>(read), "status") != "ok")
        checks.push_back({"server", State::Bad, server + " is not healthy"});
    else
        checks.push_back({"server", State::Good,
                          server + " is healthy and answered in " + std::to_string(took) + " ms"});
    if (!options.server.secure() && !options.server.isLoopback())
        checks.push_back({"server", State::Note,
                          "secrets are not sent over http to another machine unless "
                          "--allow-insecure-http is given"});
    return failure == nullptr || failure->status != 0;
}

/// Without `http` it is not shown to the server.
void checkToken(const ClientOptions& options, const std::shared_ptr<client::HttpClient>& http,
                Checks& checks)
{
    const std::string file = variable("OCTOSTORE_TOKEN_FILE");
    const std::string value = variable("OCTOSTORE_TOKEN");
    if (file.empty() && value.empty())
    {
        checks.push_back({"token", State::Note, "none is set; elections need none, locks do"});
        return;
    }
    auto token = client::TokenSource::open(file, value);
    if (!token)
    {
        checks.push_back({"token", State::Bad, token.error().message});
        return;
    }
    if (token->fromEnvironment())
        checks.push_back({"token", State::Note,
                          "OCTOSTORE_TOKEN can be seen by other processes of this user; "
                          "OCTOSTORE_TOKEN_FILE is safer"});
    if (http == nullptr || (!options.server.secure() && !options.server.isLoopback()))
        return; // it is not ours to send it
    const auto read = client::readObject(
        ask(http, {"GET", "/locks?limit=1", "", token->token(), ""}, options), httpOk);
    if (const auto* failure = std::get_if<client::Failure>(&read))
        checks.push_back({"token", State::Bad, "the server says: " + failure->message});
    else
        checks.push_back({"token", State::Good, "the server takes it"});
}

bool show(const Checks& checks, bool json)
{
    bool good = true;
    JsonWriter writer;
    writer.beginObject().key("checks").beginArray();
    for (const Check& check : checks)
    {
        good = good && check.state != State::Bad;
        writer.beginObject()
            .field("name", check.name)
            .field("state", toText(check.state))
            .field("message", check.message)
            .endObject();
        if (!json)
            std::cout << toText(check.state) << "\t" << check.name << "\t" << check.message << "\n";
    }
    if (json)
        std::cout << writer.endArray().endObject().take() << "\n";
    return good;
}

} // namespace

int doctorCommand(const Words& arguments)
{
    const auto options = Options::parse(clientOptions(), arguments);
    if (!options)
        return usageError(options.error().message, "doctor");
    if (options->has("help"))
    {
        std::cout << "octostore doctor: whether this machine can run commands under a lease, and "
                     "whether the server\nanswers and takes the token. octostore config check "
                     "looks at a server's configuration.\n\n"
                  << Options::describe(clientOptions());
        return ExitOk;
    }
    if (!options->arguments().empty())
        return usageError("doctor takes no argument", "doctor");
    const auto client = readClientOptions(*options, client::HoldKind::Election, Secrecy::Nothing);
    if (!client)
        return refuse(client.error());
    Checks checks;
    checkContainment(checks);
    checkClock(checks);
    if (const auto http = makeHttpClient(*client))
    {
        const bool answers = checkServer(*client, *http, checks);
        checkToken(*client, answers ? *http : nullptr, checks);
    }
    else
        checks.push_back({"server", State::Bad, http.error().message});
    leave(show(checks, client->json) ? ExitOk : ExitFailure);
}

} // namespace octostore::program
