// SPDX-License-Identifier: MIT
#include "OneShot.h"

#include "Calls.h"
#include "CommandLine.h"
#include "ExitCode.h"
#include "Wakeups.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace octostore::program
{

client::HttpOutcome ask(const std::shared_ptr<client::HttpClient>& http,
                        client::HttpRequest request, const ClientOptions& options)
{
    const SystemClock clock;
    Wakeups wakeups({});
    Calls calls(http, clock, wakeups.notifier());
    calls.start(std::move(request), options.requestTimeout);
    for (;;)
    {
        for (Completion& completion : calls.take())
            return std::move(completion.outcome);
        wakeups.wait(calls.nextDeadline());
    }
}

int explain(const client::Failure& failure)
{
    std::string text = failure.message.empty() ? failure.code : failure.message;
    if (!failure.requestId.empty())
        text += " (" + failure.requestId + ")";
    if (failure.code == "unreachable")
        text += "; does the server run there? --server or OCTOSTORE_URL says where it is";
    complain(text);
    return client::worthRetrying(failure) ? ExitFailure : ExitUsage;
}

void complainOnce(const client::Failure& failure, std::string& told)
{
    const std::string& text = failure.message.empty() ? failure.code : failure.message;
    if (text == told)
        return;
    told = text;
    complain(text + "; it is tried again");
}

void leave(int exitCode)
{
    exitCode = finishOutput(exitCode);
    std::cerr << std::flush;
    std::fflush(nullptr);
    std::_Exit(exitCode);
}

} // namespace octostore::program
