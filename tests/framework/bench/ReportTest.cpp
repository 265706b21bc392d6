// SPDX-License-Identifier: MIT
#include <octostore/base/Json.h>
#include <octostore/bench/Report.h>

#include <gtest/gtest.h>

namespace octostore::bench
{

using namespace std::chrono_literals;

class ReportTest : public testing::Test
{
protected:
    ReportTest()
    {
        result.measured = 2s;
        OperationResult& acquire = result.operations[0];
        for (int i = 0; i < 99; ++i)
            acquire.latency.record(1ms);
        acquire.latency.record(100ms);
        acquire.busy = 3;
        acquire.failures[403] = 2;
        result.firstFailure = "403 {\"code\":\"x\"}";
    }

    LoadResult result;
};

TEST_F(ReportTest, PeopleSeeRatesQuantilesAndTheFirstFailure)
{
    const std::string text = textReport("locks", result);
    EXPECT_NE(text.find("acquire         100         50/s     1.01 ms     1.01 ms"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("100 ms  (3 busy)"), std::string::npos) << text;
    EXPECT_NE(text.find("2 requests failed; the first: 403 {\"code\":\"x\"}"), std::string::npos);
    EXPECT_EQ(text.find("renew"), std::string::npos);
}

TEST_F(ReportTest, ProgramsReadOneObject)
{
    const auto json = readJson(jsonReport("locks", 64, result));
    ASSERT_TRUE(json);
    EXPECT_EQ(*json->at("connections").asInteger(), 64);
    EXPECT_EQ(*json->at("failures").asInteger(), 2);
    const JsonValue::Object& acquire = *json->at("operations").asObject()->at("acquire").asObject();
    EXPECT_EQ(*acquire.at("count").asInteger(), 100);
    EXPECT_EQ(*acquire.at("busy").asInteger(), 3);
}

TEST_F(ReportTest, DurationsAreReadable)
{
    EXPECT_EQ(readable(850ns), "850 ns");
    EXPECT_EQ(readable(12'345ns), "12.3 us");
    EXPECT_EQ(readable(4'560us), "4.56 ms");
    EXPECT_EQ(readable(1'200ms), "1.2 s");
}

TEST_F(ReportTest, ProgressFitsInALine)
{
    EXPECT_EQ(progressLine(result).find('\n'), std::string::npos);
    EXPECT_LT(progressLine(result).size(), 80U);
    EXPECT_LT(progressLine(LoadResult()).size(), 80U);
}

} // namespace octostore::bench
