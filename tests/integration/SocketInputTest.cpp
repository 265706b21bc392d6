// SPDX-License-Identifier: MIT
// Goal: what malformed requests are answered does not depend on how they came.
// Method: the table of tests/plugins/coordination-api over real sockets, on each transport.
#include "ServerTest.h"
#include "plugins/coordination-api/MalformedInputs.h"

#include <set>

namespace octostore::test
{
namespace
{

class SocketInputTest : public ServerTest, public testing::WithParamInterface<const char*>
{
protected:
    void SetUp() override { start({{"http.transport", GetParam()}}); }

    static ServerQuestion questionOf(const MalformedInput& input)
    {
        ServerQuestion question;
        question.method = http::methodName(input.method);
        question.target = input.target;
        question.authorization = input.authorization;
        question.body = input.body;
        question.contentType = input.contentType;
        return question;
    }
};

TEST_P(SocketInputTest, IsToldWhatIsWrongInTheEnvelope)
{
    std::set<std::string> requestIds;
    const std::vector<MalformedInput> inputs = malformedInputs(std::string(alice));
    ServerClient connection = client();
    for (const MalformedInput& input : inputs)
    {
        SCOPED_TRACE(input.what);
        const ServerAnswer answer = expectAnswer(connection.ask(questionOf(input)));
        EXPECT_EQ(answer.status, input.status) << answer.body;
        EXPECT_EQ(answer.text("code"), input.code) << answer.body;
        EXPECT_FALSE(answer.text("error").empty());
        EXPECT_FALSE(answer.text("details").empty());
        EXPECT_EQ(answer.headers.count("retry-after"), answer.json().count("retry_after_ms"));
        ASSERT_EQ(answer.headers.count("x-request-id"), 1U);
        EXPECT_EQ(answer.text("request_id"), answer.headers.at("x-request-id"));
        requestIds.insert(answer.text("request_id"));
        ASSERT_EQ(answer.headers.count("content-type"), 1U);
        EXPECT_EQ(answer.headers.at("content-type"), "application/json");
        EXPECT_EQ(answer.headers.count("allow"), input.allow.empty() ? 0U : 1U);
        if (!input.allow.empty())
        {
            EXPECT_EQ(answer.headers.at("allow"), input.allow);
        }
    }
    EXPECT_EQ(requestIds.size(), inputs.size());
    EXPECT_EQ(expectAnswer(client(alice).get("/locks")).number("total"), 0);
}

TEST_P(SocketInputTest, NamesOfEveryScriptArePlainOrEncoded)
{
    const std::vector<std::pair<std::string, std::string>> names = {
        {"repos/acme/app/issues/1842", "repos%2Facme%2Fapp%2Fissues%2F1842"},
        {"\xC3\xBC"
         "ber",
         "%C3%BCber"},
        {"\xE6\x9D\xB1/\xE4\xBA\xAC", "%E6%9D%B1%2F%E4%BA%AC"},
    };
    ServerClient connection = client(alice);
    for (const auto& [name, encoded] : names)
    {
        const ServerAnswer acquired =
            expectAnswer(connection.post("/locks/" + encoded + "/acquire", "{}"));
        EXPECT_EQ(acquired.text("status"), "acquired") << acquired.body;
        const ServerAnswer status = expectAnswer(connection.get("/locks/" + encoded));
        EXPECT_EQ(status.text("name"), name);
        EXPECT_EQ(status.text("status"), "held");
    }
    EXPECT_EQ(expectAnswer(connection.get("/locks/" + names[0].first)).text("status"), "held");
}

TEST_P(SocketInputTest, ABodyAboveTheLimitIsRefused)
{
    const std::string body = "{\"metadata\":\"" + std::string(64 * 1024, 'm') + "\"}";
    const ServerAnswer answer = expectAnswer(client(alice).post("/locks/too-large/acquire", body));
    EXPECT_EQ(answer.status, 413);
    EXPECT_EQ(answer.text("code"), "invalid_input");
    EXPECT_EQ(expectAnswer(client().post("/locks/too-large/acquire", body)).status, 401)
        << "who asks comes first";
}

INSTANTIATE_TEST_SUITE_P(Transports, SocketInputTest, testing::Values(OCTOSTORE_TEST_TRANSPORTS),
                         [](const auto& chosen) { return std::string(chosen.param); });

} // namespace
} // namespace octostore::test
