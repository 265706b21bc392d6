// SPDX-License-Identifier: MIT
// Goal: every answer that any test got was as docs/openapi/openapi.yaml says.
// Method: tests write down what they were answered (support/SeenAnswers.h); this one runs behind
// all of them.
#include "support/SeenAnswers.h"

#include "ApiDescription.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>

namespace octostore::test
{
namespace
{

namespace fs = std::filesystem;

/// Of the transport, wherever the request would have gone.
bool isOfTheTransport(const HttpResponse& answer)
{
    if (answer.status == 503)
        return answer.body.find("\"reason\":\"overloaded\"") != std::string::npos;
    return std::set<int>{408, 414, 431}.count(answer.status) != 0;
}

/// What the pages of the console and the documentation are made of.
bool isFile(const HttpResponse& answer)
{
    return answer.status == 200 && answer.header("content-type") != "application/json";
}

class SeenAnswersTest : public testing::Test
{
protected:
    void judgeFile(const fs::path& file)
    {
        std::ifstream lines(file);
        for (std::string line; std::getline(lines, line);)
            // The last line of a process that was killed may be half a line.
            if (const auto seen = readJson(line))
                judge(*seen);
    }

    void judge(const JsonValue::Object& seen)
    {
        const std::string& method = *seen.at("method").asString();
        const std::string& target = *seen.at("target").asString();
        if (method == "HEAD" || method == "OPTIONS")
            return; // for every path, without a body
        HttpResponse answer;
        answer.status = static_cast<int>(*seen.at("status").asInteger());
        answer.headers["content-type"] = *seen.at("type").asString();
        answer.body = *seen.at("body").asString();
        const Operation* operation = _description.find(method, target);
        ++_judged;
        const std::string what = method + " " + target;
        const bool described = operation != nullptr && operation->describes(answer.status);
        const bool known = described || operation == nullptr || isOfTheTransport(answer);
        EXPECT_TRUE(known) << what << ": the status " << answer.status
                           << " is not described: " << answer.body;
        if (!known)
            return;
        EXPECT_EQ(judge(described ? operation : nullptr, answer), "")
            << what << " " << answer.status;
    }

    /// What is wrong with an answer; no operation: it is an error.
    std::string judge(const Operation* operation, const HttpResponse& answer)
    {
        if (operation == nullptr)
            return isFile(answer) ? "" : _description.judgeError(answer);
        return answer.header("content-type") == "text/event-stream"
                   ? _description.judgeFrame(*operation, answer.body)
                   : _description.judge(*operation, answer);
    }

    ApiDescription _description;
    std::size_t _judged = 0;
};

TEST_F(SeenAnswersTest, EveryAnswerOfTheWholeSuiteIsAsDescribed)
{
    const fs::path folder = SeenAnswers::folder();
    if (folder.empty() || !fs::exists(folder))
        GTEST_SKIP() << "no other test ran";
    for (const auto& entry : fs::directory_iterator(folder))
    {
        // What an older server said is no concern of this description.
        if (entry.last_write_time() > fs::last_write_time(OCTOSTORE_OPENAPI_JSON))
            judgeFile(entry.path());
        fs::remove(entry.path());
    }
    std::cout << "judged " << _judged << " answers of other tests\n";
}

} // namespace
} // namespace octostore::test
