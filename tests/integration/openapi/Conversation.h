// SPDX-License-Identifier: MIT
/// @file
/// Asks what the description describes, and holds every answer against it.
#pragma once

#include "ApiDescription.h"
#include "DescribedServer.h"
#include "support/InProcessServer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace octostore::test
{

class ScriptedServer;

/// Everything in it counts into one description. What is asked of all operations is derived from
/// the description, so a new one is asked as well.
class Conversation : public testing::Test
{
protected:
    /// Asks `server`; the answer must be as described and have this status. `name`: "METHOD /path"
    /// of the description; `headers` are whole lines.
    JsonValue::Object ask(DescribedServer& server, std::string_view name, const std::string& target,
                          int status, const std::string& headers = {},
                          const std::string& body = {});
    /// The same in one process. With a body that is empty none is sent.
    JsonValue::Object ask(InProcessServer& server, std::string_view name, const std::string& target,
                          int status, std::string_view token, const std::string& body = {});
    /// What a client would receive.
    static HttpResponse received(const http::Response& response);
    /// Holds an answer against the description; the object in its body.
    JsonValue::Object judge(const Operation& operation, const HttpResponse& answer, int status);

    /// What is under a key; empty when there is no text.
    static std::string textOf(const JsonValue::Object& object, const std::string& key);
    /// "0" when there is no integer.
    static std::string numberOf(const JsonValue::Object& object, const std::string& key);
    /// The bytes of a request.
    static std::string requestOf(const Operation& operation, const std::string& target,
                                 const std::string& headers, const std::string& body);

    // Refusals.cpp: what every operation refuses in the same way.
    void refuseBodies(DescribedServer& server);
    void refuseCredentials(DescribedServer& server);
    void refuseValues(DescribedServer& server);
    void refuseWhatIsNotThere(DescribedServer& server);
    void refuseWhereElectionsAreOff();
    void refuseWhatIsTooMuch();
    void registerAnAccount();
    void refuseACopyThatDoesNotFit();
    void tellWhatIsKnown(DescribedServer& server);

    // InProcessAnswers.cpp: what needs a clock, an engine or a store that obeys the test.
    void refuseWhatIsOver();
    void refuseWhileStopping();
    void refuseWhatChangedMeanwhile();
    void refuseMoreNamesThanMayBeWatched();
    void reportWhatFails();
    void refuseMoreThanOneCopy();

    // WebhookAnswers.cpp
    void deliverToAReceiver();
    void loseTheKeyOfSecrets();
    void pingTooOften(DescribedServer& server, const ScriptedServer& receiver,
                      const std::string& hook);
    std::string deliveryOf(DescribedServer& server, const std::string& hook,
                           const std::string& state, std::size_t least);
    void askAgainTooOften(DescribedServer& server, const ScriptedServer& receiver);

    const std::string _alice = "Authorization: Bearer alice-secret-token\r\n";
    const std::string _bob = "Authorization: Bearer bob-secret-token\r\n";
    const std::string _team = "Authorization: Bearer team-secret-token\r\n"; ///< with a namespace
    const std::string _admin = "X-Admin-Key: the-admin-key\r\n";

    ApiDescription _description;
};

} // namespace octostore::test
