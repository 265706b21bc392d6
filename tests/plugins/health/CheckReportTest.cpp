// SPDX-License-Identifier: MIT
#include "CheckReport.h"

#include <gtest/gtest.h>

namespace octostore::health
{

class CheckReportTest : public testing::Test
{
protected:
    const CheckResult good{"store", {}};
    const CheckResult bad{"disk", Error{ErrorCode::Unavailable, "full"}};
};

TEST_F(CheckReportTest, GoodChecksAreOneWord)
{
    const http::Response response = report({good}, false);
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "ok\n");
    EXPECT_EQ(*response.headers.find("content-type"), "text/plain; charset=utf-8");
    EXPECT_EQ(*response.headers.find("cache-control"), "no-store");
}

TEST_F(CheckReportTest, VerboseNamesEveryCheck)
{
    EXPECT_EQ(report({good, {"engine", {}}}, true).body, "[+]store ok\n[+]engine ok\nok\n");
}

TEST_F(CheckReportTest, OneBadCheckFailsAllAndIsNamedUnasked)
{
    const http::Response response = report({good, bad}, false);
    EXPECT_EQ(response.status, 503);
    EXPECT_EQ(response.body, "[+]store ok\n[-]disk failed: full\n");
}

TEST_F(CheckReportTest, OptionsAreReadFromTheQuery)
{
    const auto options = ProbeOptions::parse("verbose&exclude=disk&exclude=a%20b&other=1");
    EXPECT_TRUE(options.verbose);
    EXPECT_EQ(options.excluded, (std::set<std::string, std::less<>>{"disk", "a b"}));
    EXPECT_FALSE(ProbeOptions::parse("").verbose);
    EXPECT_FALSE(ProbeOptions::parse("verbose=false").verbose);
    EXPECT_TRUE(ProbeOptions::parse("verbose=true").verbose);
    EXPECT_TRUE(ProbeOptions::parse("&&exclude=&").excluded.count(""));
}

TEST_F(CheckReportTest, ReasonsForEverybodyAreCodesOnly)
{
    EXPECT_EQ(publicReason({ErrorCode::Unavailable, "/var/lib/secret.db: I/O error"}),
              "storage_unavailable");
    EXPECT_EQ(publicReason({ErrorCode::Internal, "x"}), "internal_error");
}

} // namespace octostore::health
