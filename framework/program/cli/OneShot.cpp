// SPDX-License-Identifier: MIT
#include "OneShot.h"

#include "Calls.h"
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
    complain(text);
    return client::worthRetrying(failure) ? int{ExitFailure} : int{ExitUsage};
}

void leave(int exitCode)
{
    std::cout << std::flush;
    std::cerr << std::flush;
    std::fflush(nullptr);
    std::_Exit(exitCode);
}

} // namespace octostore::program
