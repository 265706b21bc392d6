// SPDX-License-Identifier: MIT
/// @file
/// Answers of a server that has one room and one lock.
#pragma once

#include "support/ScriptedServer.h"

#include <string>

namespace octostore::test
{

constexpr const char* scriptedRoom = "room-0001";
constexpr const char* scriptedCandidate = "node-1";
constexpr const char* scriptedToken = "the-leader-token-that-nobody-may-see";
constexpr const char* scriptedSession = "6f1c2f0e-1111-4222-8333-444455556666";
constexpr const char* scriptedLease = "6f1c2f0e-aaaa-4bbb-8ccc-ddddeeeeffff";
constexpr const char* scriptedTime = "2026-08-03T01:02:03Z";

inline std::string leaderObject(const std::string& candidate, int term)
{
    return "{\"candidate_id\":\"" + candidate + "\",\"term\":" + std::to_string(term) +
           ",\"expires_at\":\"" + scriptedTime + "\"}";
}

inline ScriptedReply leaderReply(int term = 7)
{
    return jsonReply(std::string("{\"status\":\"leader\",\"election_id\":\"") + scriptedRoom +
                     "\",\"leader\":" + leaderObject(scriptedCandidate, term) +
                     ",\"leader_token\":\"" + scriptedToken +
                     "\",\"renew_after_ms\":2500,\"authority_ms\":5000,\"waited_ms\":0}");
}

inline ScriptedReply followerReply(int retryAfter = 1000)
{
    return jsonReply(std::string("{\"status\":\"follower\",\"election_id\":\"") + scriptedRoom +
                     "\",\"leader\":" + leaderObject("node-2", 6) +
                     ",\"retry_after_ms\":" + std::to_string(retryAfter) + "}");
}

inline ScriptedReply resignedReply(int term = 7)
{
    return jsonReply(std::string("{\"election_id\":\"") + scriptedRoom +
                     "\",\"status\":\"vacant\",\"previous_term\":" + std::to_string(term) + "}");
}

inline ScriptedReply acquiredReply()
{
    return jsonReply(std::string("{\"status\":\"acquired\",\"lease_id\":\"") + scriptedLease +
                     "\",\"fencing_token\":9,\"expires_at\":\"" + scriptedTime +
                     "\",\"renew_after_ms\":1000,\"metadata\":null}");
}

inline ScriptedReply sessionReply(int status)
{
    return jsonReply(std::string("{\"session_id\":\"") + scriptedSession + "\",\"expires_at\":\"" +
                         scriptedTime + "\",\"keepalive_interval_secs\":15}",
                     status);
}

inline bool endsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Grants and confirms everything.
inline ScriptedReply goodReply(const SeenRequest& request)
{
    if (endsWith(request.path, "/campaign") || request.path.find("/elections/") == 0)
        return endsWith(request.path, "/resign") ? resignedReply() : leaderReply();
    if (endsWith(request.path, "/acquire"))
        return acquiredReply();
    if (endsWith(request.path, "/release"))
        return jsonReply("null");
    if (endsWith(request.path, "/renew"))
        return jsonReply(std::string("{\"lease_id\":\"") + scriptedLease + "\",\"expires_at\":\"" +
                         scriptedTime + "\",\"renew_after_ms\":1000}");
    if (request.method == "DELETE")
    {
        ScriptedReply reply;
        reply.raw = "HTTP/1.1 204 No Content\r\n\r\n";
        return reply;
    }
    return sessionReply(request.path == "/sessions" ? 201 : 200);
}

} // namespace octostore::test
