// SPDX-License-Identifier: MIT
#include "CrowdClient.h"

#include <utility>

namespace octostore::bench
{

namespace
{

constexpr unsigned crowdWaitSeconds = 300;

} // namespace

CrowdClient::CrowdClient(std::string authority, const LeaseRequests* requests, std::string room)
    : _authority(std::move(authority)), _requests(requests), _room(std::move(room))
{
}

std::optional<Operation> CrowdClient::next(Phase phase, std::string& out)
{
    if (_requests == nullptr && phase == Phase::Prepare && !_asked)
    {
        _asked = true;
        out.append("GET /health HTTP/1.1\r\nHost: ").append(_authority).append("\r\n\r\n");
        return Operation::Other;
    }
    if (_requests == nullptr || phase != Phase::Load)
        return std::nullopt;
    _requests->acquire(out, _room, std::chrono::seconds(300), crowdWaitSeconds);
    return Operation::Acquire;
}

Verdict CrowdClient::answered(const Answer& answer)
{
    return answer.status == 200 ? Verdict::Good : Verdict::Failed;
}

} // namespace octostore::bench
