// SPDX-License-Identifier: MIT
#include "EngineQuestion.h"

#include <memory>
#include <utility>

namespace octostore::health
{

namespace
{

/// The first answer counts. Used on one executor only, so it needs no lock.
class FirstAnswer
{
public:
    explicit FirstAnswer(EngineQuestion::Done done) : _done(std::move(done)) {}

    void give(Result<coordination::Reply> answer)
    {
        if (const auto done = std::exchange(_done, nullptr))
            done(std::move(answer));
    }

private:
    EngineQuestion::Done _done;
};

Result<coordination::Reply> refusedAsError(coordination::Reply reply)
{
    if (const auto* refused = std::get_if<coordination::Refused>(&reply))
        return refused->error;
    return reply;
}

} // namespace

void EngineQuestion::ask(const http::ExchangePtr& exchange, coordination::Query query, Done done)
{
    const auto first = std::make_shared<FirstAnswer>(std::move(done));
    const auto wait =
        _watchdog.add(exchange->executor(),
                      [first] {
                          first->give(Error{ErrorCode::Unavailable, "the engine does not answer"});
                      });
    if (!wait)
        return first->give(Error{ErrorCode::Overloaded, "too many probes wait"});

    coordination::Request request;
    request.operation = std::move(query);
    request.id = exchange->id();
    request.arrived = exchange->request().arrived;
    _coordinator.submit(std::move(request), exchange->executor(),
                        [first, wait = *wait, &watchdog = _watchdog](coordination::Reply reply)
                        {
                            watchdog.remove(wait);
                            first->give(refusedAsError(std::move(reply)));
                        });
}

} // namespace octostore::health
