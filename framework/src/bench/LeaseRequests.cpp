// SPDX-License-Identifier: MIT
#include <octostore/bench/LeaseRequests.h>

namespace octostore::bench
{

LeaseRequests::LeaseRequests(const Target& target)
    : _locks(!target.token.empty()),
      _path(" " + target.basePath + (_locks ? "/locks/" : "/elections/"))
{
    const std::string common = " HTTP/1.1\r\nHost: " + target.authority + "\r\n" +
                               (_locks ? "Authorization: Bearer " + target.token + "\r\n" : "");
    _end = common + "\r\n";
    _head = common + "Content-Type: application/json\r\nContent-Length: ";
}

void LeaseRequests::post(std::string& out, std::string_view name, std::string_view action,
                         std::string_view body) const
{
    out.append("POST").append(_path).append(name).append(action).append(_head);
    out.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
}

void LeaseRequests::acquire(std::string& out, std::string_view name, std::chrono::seconds ttl,
                            unsigned waitSeconds) const
{
    std::string body = "{\"ttl_seconds\":" + std::to_string(ttl.count());
    if (!_locks)
        body += ",\"candidate_id\":\"bench\"";
    if (waitSeconds != 0)
        body += ",\"wait_seconds\":" + std::to_string(waitSeconds);
    post(out, name, _locks ? "/acquire" : "/campaign", body += '}');
}

void LeaseRequests::renew(std::string& out, std::string_view name, std::string_view credential,
                          std::chrono::seconds ttl) const
{
    std::string body = _locks ? "{\"lease_id\":\"" : "{\"leader_token\":\"";
    body.append(credential).append("\",\"ttl_seconds\":").append(std::to_string(ttl.count()));
    post(out, name, "/renew", body += '}');
}

void LeaseRequests::release(std::string& out, std::string_view name,
                            std::string_view credential) const
{
    std::string body = _locks ? "{\"lease_id\":\"" : "{\"leader_token\":\"";
    body.append(credential).append("\"}");
    post(out, name, _locks ? "/release" : "/resign", body);
}

void LeaseRequests::status(std::string& out, std::string_view name) const
{
    out.append("GET").append(_path).append(name).append(_end);
}

std::string_view LeaseRequests::credentialIn(std::string_view body) const noexcept
{
    return textIn(body, _locks ? "\"lease_id\":\"" : "\"leader_token\":\"");
}

std::string_view textIn(std::string_view json, std::string_view key) noexcept
{
    const std::size_t at = json.find(key);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = json.substr(at + key.size());
    return rest.substr(0, rest.find('"'));
}

} // namespace octostore::bench
