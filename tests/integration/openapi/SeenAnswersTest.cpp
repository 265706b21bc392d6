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
bool isOfTheTransport(int status)
{
    return std::set<int>{400, 405, 408, 414, 431, 500, 503}.count(status) != 0;
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
        const bool known = described || operation == nullptr || isOfTheTransport(answer.status);
        EXPECT_TRUE(known) << what << ": the status " << answer.status
                           << " is not described: " << answer.body;
        if (!known)
            return;
        const std::string wrong =
            described ? _description.judge(*operation, answer) : _description.judgeError(answer);
        EXPECT_EQ(wrong, "") << what << " " << answer.status;
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
