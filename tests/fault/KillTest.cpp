// SPDX-License-Identifier: MIT
// Goal: a process that is killed before, within or behind any step of a commit leaves a store that
// fits what it had told.
// Method: a child works and writes down what it asked and was told; SIGKILL meets it at the n-th
// fail point or operation of the disk, for n = 1, 2, 3 ... until a child that comes to its end;
// without OCTOSTORE_TEST_EVERY=1 only every sixth operation.
#include "FaultFixture.h"

#include <iostream>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace octostore::test
{
namespace
{

constexpr int batchesBefore = 5;
constexpr std::uint32_t placesMax = 1'000;

class KillTest : public FaultFixture
{
protected:
    void SetUp() override { prepare(); }

    /// Runs the work in a child with `arm` done before; returns whether the child was killed.
    template <class Arm>
    bool killed(Arm arm)
    {
        begin();
        int ends[2];
        EXPECT_EQ(::pipe(ends), 0);
        const pid_t child = ::fork();
        if (child == 0)
            workAsChild(ends[1], arm);
        ::close(ends[1]);
        ledger.replay(readAll(ends[0]));
        int status = 0;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0)
            << "status " << status;
        ++_runs;
        _killed += WIFSIGNALED(status) ? 1 : 0;
        expectSound(std::filesystem::path(database()).filename());
        return WIFSIGNALED(status);
    }

    void killAtEveryStep(const std::string& step)
    {
        const std::uint32_t stride = step == "write" ? every : 1;
        for (std::uint32_t n = 1; n < placesMax && !HasFailure(); n += stride)
        {
            SCOPED_TRACE(step + " " + std::to_string(n));
            const bool hit = killed(
                [this, step, n]
                {
                    failures.at(step,
                                [left = n](sqlite3*) mutable
                                {
                                    if (--left == 0)
                                        ::raise(SIGKILL);
                                    return SQLITE_OK;
                                });
                });
            if (!hit)
                break;
        }
        report("kill at \"" + step + "\"");
    }

    void report(const std::string& what)
    {
        std::cout << "fault " << what << ": fired " << _killed << " times in " << _runs
                  << " runs\n";
        EXPECT_GT(_killed, 1U);
        _killed = 0;
        _runs = 0;
    }

private:
    template <class Arm>
    [[noreturn]] void workAsChild(int echo, Arm arm)
    {
        ledger.echoTo(echo);
        arm();
        if (!open(faulty()))
            ::_exit(1);
        for (int i = 0; i < batchesBefore; ++i)
            work->runBatch();
        ::_exit(0);
    }

    static std::string readAll(int descriptor)
    {
        std::string all;
        char buffer[4096];
        for (ssize_t length = 0; (length = ::read(descriptor, buffer, sizeof buffer)) > 0;)
            all.append(buffer, static_cast<std::size_t>(length));
        ::close(descriptor);
        return all;
    }

    std::uint64_t _killed = 0;
    std::uint64_t _runs = 0;
};

TEST_F(KillTest, AKillAtAnyStepOfACommitLeavesWhatWasTold)
{
    for (const char* step : {"open", "begin", "write", "commit-before", "commit-after", "report"})
    {
        killAtEveryStep(step);
        if (HasFailure())
            return;
    }
}

TEST_F(KillTest, AKillAtAnyOperationOfTheDiskLeavesWhatWasTold)
{
    for (const Fault fault : {Fault::KillBefore, Fault::KillWithin, Fault::KillBehind})
    {
        for (std::uint32_t n = firstPlace(); n < placesMax && !HasFailure(); n += every)
        {
            SCOPED_TRACE(std::string(nameOf(fault)) + " " + std::to_string(n));
            if (!killed([this, fault, n] { plan.set(fault, n, 1); }))
                break;
        }
        report(nameOf(fault));
    }
}

TEST_F(KillTest, AKillWhileTheFateOfABatchIsSoughtLeavesWhatWasTold)
{
    for (const char* cause : {"commit-before", "commit-after"})
    {
        for (const char* step : {"settle", "report"})
        {
            SCOPED_TRACE(std::string(cause) + ", " + step);
            EXPECT_TRUE(killed(
                [this, cause, step]
                {
                    failures.fail(cause, SQLITE_IOERR_FSYNC);
                    failures.at(step,
                                [](sqlite3*)
                                {
                                    ::raise(SIGKILL);
                                    return SQLITE_OK;
                                });
                }));
        }
    }
    report("kill while settling");
}

} // namespace
} // namespace octostore::test
