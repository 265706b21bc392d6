// SPDX-License-Identifier: MIT
#include <octostore/bench/Workload.h>

#include <gtest/gtest.h>

#include <set>

namespace octostore::bench
{

namespace
{

constexpr std::string_view granted =
    R"({"status":"acquired","lease_id":"L","leader_token":"T","fencing_token":1})";
constexpr std::string_view held = R"({"status":"held","holder_id":"H"})";

std::string lineOf(const std::string& request)
{
    return request.substr(0, request.find(" HTTP/1.1\r\n"));
}

std::string bodyOf(const std::string& request)
{
    return request.substr(request.find("\r\n\r\n") + 4);
}

} // namespace

class WorkloadTest : public testing::Test
{
protected:
    void make(Workload kind, std::string token = "secret")
    {
        options.kind = kind;
        options.token = std::move(token);
        auto made = makeClients(options);
        ASSERT_TRUE(made);
        clients = *std::move(made);
    }
    /// The request line, or nothing.
    std::string ask(Phase phase = Phase::Load, std::size_t client = 0)
    {
        request.clear();
        return clients[client]->next(phase, request) ? lineOf(request) : "";
    }
    Verdict answer(int status, std::string_view body = granted, std::size_t client = 0)
    {
        return clients[client]->answered(Answer{status, body});
    }

    WorkloadOptions options{Workload::Locks,          "host:80", "", "", 2, 0,
                            std::chrono::seconds(60), "run"};
    std::vector<std::unique_ptr<Client>> clients;
    std::string request;
};

TEST_F(WorkloadTest, ARequestIsWholeAndCarriesTheToken)
{
    make(Workload::Locks);
    ask();
    EXPECT_EQ(request, "POST /locks/bench-run-0/acquire HTTP/1.1\r\nHost: host:80\r\n"
                       "Authorization: Bearer secret\r\nContent-Type: application/json\r\n"
                       "Content-Length: 18\r\n\r\n{\"ttl_seconds\":60}");
}

TEST_F(WorkloadTest, LocksAreAcquiredAndReleasedOneNameAfterTheOther)
{
    options.names = 6;
    make(Workload::Locks);
    EXPECT_EQ(ask(Phase::Prepare), "");
    for (const char* name : {"bench-run-0", "bench-run-2", "bench-run-4", "bench-run-0"})
    {
        EXPECT_EQ(ask(), "POST /locks/" + std::string(name) + "/acquire");
        EXPECT_EQ(answer(200), Verdict::Good);
        EXPECT_EQ(ask(), "POST /locks/" + std::string(name) + "/release");
        EXPECT_EQ(bodyOf(request), R"({"lease_id":"L"})");
        EXPECT_EQ(answer(200, "null"), Verdict::Good);
    }
    EXPECT_EQ(ask(Phase::Load, 1), "POST /locks/bench-run-1/acquire");
    EXPECT_EQ(ask(Phase::Finish), "");
}

TEST_F(WorkloadTest, AHeldNameIsBusyAndTheNextIsTried)
{
    options.names = 6;
    make(Workload::Locks);
    ask();
    EXPECT_EQ(answer(200, held), Verdict::Busy);
    EXPECT_EQ(ask(), "POST /locks/bench-run-2/acquire");
    EXPECT_EQ(answer(409, R"({"status":"delayed"})"), Verdict::Busy);
    EXPECT_EQ(ask(), "POST /locks/bench-run-4/acquire");
    EXPECT_EQ(answer(409, R"({"code":"conflict"})"), Verdict::Failed);
    EXPECT_EQ(ask(), "POST /locks/bench-run-0/acquire");
    EXPECT_EQ(answer(0, ""), Verdict::Failed);
}

TEST_F(WorkloadTest, ElectionsNeedNoToken)
{
    make(Workload::Elections);
    EXPECT_EQ(ask(), "POST /elections/bench-run-0/campaign");
    EXPECT_EQ(request.find("Authorization"), std::string::npos);
    EXPECT_EQ(answer(200), Verdict::Good);
    EXPECT_EQ(ask(Phase::Finish), "POST /elections/bench-run-0/resign");
    EXPECT_EQ(bodyOf(request), R"({"leader_token":"T"})");
}

TEST_F(WorkloadTest, LocksWithoutATokenAreRefused)
{
    options.kind = Workload::Locks;
    const auto made = makeClients(options);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::InvalidInput);
}

TEST_F(WorkloadTest, ANumberOfNamesIsKeptToOrRefused)
{
    const auto takes = [&](Workload kind, std::size_t names)
    {
        options.kind = kind;
        options.token = "secret";
        options.names = names;
        return makeClients(options).ok();
    };
    for (const Workload kind : {Workload::Acquire, Workload::Renew, Workload::Status})
    {
        EXPECT_FALSE(takes(kind, 1'000'000)) << "it would do nothing";
        EXPECT_TRUE(takes(kind, 0));
    }
    EXPECT_TRUE(takes(Workload::Locks, 1)) << "two that contend";
    EXPECT_FALSE(takes(Workload::Mix, 3)) << "of two clients";
    ASSERT_TRUE(takes(Workload::Mix, 4));
    make(Workload::Mix);
    std::set<std::string> seen;
    for (int i = 0; i < 100; ++i)
    {
        const std::string line = ask(i == 0 ? Phase::Prepare : Phase::Load, 1);
        if (line.ends_with("/acquire"))
            seen.insert(line);
        answer(200, granted, 1);
    }
    EXPECT_EQ(seen, (std::set<std::string>{"POST /locks/bench-run-1/acquire",
                                           "POST /locks/bench-run-3/acquire"}));
}

TEST_F(WorkloadTest, ARenewingClientPreparesALeaseAndGivesItBack)
{
    make(Workload::Renew, "");
    EXPECT_EQ(ask(Phase::Prepare), "POST /elections/bench-run-0/campaign");
    EXPECT_EQ(answer(200), Verdict::Good);
    EXPECT_EQ(ask(Phase::Prepare), "");
    for (int i = 0; i < 3; ++i)
    {
        EXPECT_EQ(ask(), "POST /elections/bench-run-0/renew");
        EXPECT_EQ(bodyOf(request), R"({"leader_token":"T","ttl_seconds":60})");
        EXPECT_EQ(answer(200), Verdict::Good);
    }
    EXPECT_EQ(ask(Phase::Finish), "POST /elections/bench-run-0/resign");
    EXPECT_EQ(answer(200), Verdict::Good);
    EXPECT_EQ(ask(Phase::Finish), "");
}

TEST_F(WorkloadTest, AcquireNeverUsesANameTwice)
{
    make(Workload::Acquire);
    std::set<std::string> seen;
    for (int i = 0; i < 100; ++i)
    {
        for (std::size_t client = 0; client < 2; ++client)
        {
            EXPECT_TRUE(seen.insert(ask(Phase::Load, client)).second);
            answer(200, granted, client);
        }
    }
    EXPECT_EQ(ask(Phase::Finish), "");
}

TEST_F(WorkloadTest, AMixKeepsItsOwnLeaseAndReleasesTheOthers)
{
    make(Workload::Mix);
    EXPECT_EQ(ask(Phase::Prepare), "POST /locks/bench-run-0/acquire");
    answer(200);
    std::multiset<std::string> actions;
    for (int i = 0; i < 110; ++i)
    {
        const std::string line = ask();
        actions.insert(line.substr(line.rfind('/')));
        const bool isOwn = line.find("bench-run-0") != std::string::npos;
        const bool keeps =
            line.find("acquire") == std::string::npos && line.find("release") == std::string::npos;
        EXPECT_EQ(isOwn, keeps) << line;
        answer(200);
    }
    EXPECT_EQ(actions.count("/renew"), 60U);
    EXPECT_EQ(actions.count("/bench-run-0"), 30U);
    EXPECT_EQ(actions.count("/acquire"), 10U);
    EXPECT_EQ(actions.count("/release"), 10U);
}

TEST_F(WorkloadTest, KindsHaveNames)
{
    EXPECT_EQ(parseWorkload("mix"), Workload::Mix);
    EXPECT_FALSE(parseWorkload("Mix"));
    EXPECT_FALSE(parseWorkload(""));
}

} // namespace octostore::bench
