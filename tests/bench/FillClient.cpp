// SPDX-License-Identifier: MIT
#include "FillClient.h"

namespace octostore::bench
{

std::optional<Operation> FillClient::next(Phase phase, std::string& out)
{
    if (phase != Phase::Load || _filling.next == _filling.names)
        return std::nullopt;
    const std::string name = "bench-" + _filling.run + "-" + std::to_string(_filling.next++);
    _filling.requests->acquire(out, name, _filling.ttl());
    return Operation::Acquire;
}

Verdict FillClient::answered(const Answer& answer)
{
    const bool granted =
        answer.status == 200 && !_filling.requests->credentialIn(answer.body).empty();
    return granted ? Verdict::Good : Verdict::Failed;
}

} // namespace octostore::bench
