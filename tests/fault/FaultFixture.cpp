// SPDX-License-Identifier: MIT
#include "FaultFixture.h"

#include "support/TestSeed.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace octostore::test
{

namespace fs = std::filesystem;

namespace
{

constexpr const char* preparedName = "prepared.db";
constexpr int preparedBatches = 3;

} // namespace

FaultFixture::FaultFixture()
{
    seed = test::testSeed();
    if (const char* const told = std::getenv("OCTOSTORE_TEST_EVERY")) // NOLINT
        every = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::atoi(told)));
}

FaultFixture::~FaultFixture()
{
    // Before the disk and its file system.
    work.reset();
    stop();
}

void FaultFixture::prepare()
{
    _name = preparedName;
    ledger = Ledger();
    ASSERT_TRUE(open(options(preparedName)));
    for (int i = 0; i < preparedBatches; ++i)
        ASSERT_EQ(work->runBatch(), Ledger::names);
    stop();
    _prepared = ledger;
}

void FaultFixture::begin()
{
    work.reset();
    stop();
    plan.clear();
    failures.clear();
    disk.reset();
    ledger = _prepared;
    if (_runs > 0)
    {
        for (const char* end : {"", "-wal", "-shm", ".lock"})
            fs::remove(database() + end);
    }
    _name = "run" + std::to_string(++_runs) + ".db";
    fs::copy_file(folder.file(preparedName), database());
}

sqlite::Options FaultFixture::faulty()
{
    sqlite::Options faulty = options(_name);
    faulty.vfs = "faulty";
    faulty.checkpoint = {.startPages = 12, .finishPages = 10, .forcedPages = 40};
    return faulty;
}

bool FaultFixture::open(sqlite::Options options)
{
    stop();
    listener = std::make_unique<RecordingListener>();
    auto opened = sqlite::SqliteBackend::open(std::move(options));
    if (!opened)
        return false;
    server = *std::move(opened);
    const Result<StoreContent> content = contentOf(*server);
    if (!content || !server->start(*listener))
    {
        stop();
        return false;
    }
    EXPECT_EQ(ledger.violations(*content), std::vector<std::string>{});
    ledger.settle(*content);
    work = std::make_unique<Workload>(*server, *listener, ledger, content->records);
    return true;
}

void FaultFixture::expectSound(const std::string& file)
{
    plan.clear();
    failures.clear();
    ASSERT_TRUE(open(options(file)));
    EXPECT_EQ(work->runBatch(), Ledger::names);
    work.reset();
    stop();
    EXPECT_EQ(runSql(folder.file(file), "PRAGMA integrity_check"), "ok");
    ASSERT_TRUE(open(options(file)));
    stop();
}

std::string FaultFixture::writeImage(bool torn)
{
    const std::string name = "image.db";
    for (const char* end : {"", "-wal", "-shm", "-journal"})
        fs::remove(folder.file(name) + end);
    for (const auto& [path, content] : disk.afterPowerFailure(torn, seed + _runs))
    {
        const std::string end = path.substr(std::min(path.size(), database().size()));
        folder.write(name + end, content);
    }
    return name;
}

void FaultFixture::expectSoundAfterPowerFailure(bool torn)
{
    const Ledger kept = ledger;
    expectSound(writeImage(torn));
    ledger = kept;
}

std::vector<std::string> FaultFixture::violationsAfterPowerFailure(bool torn)
{
    auto opened = sqlite::SqliteBackend::open(options(writeImage(torn)));
    if (!opened)
        return {opened.error().message};
    const Result<StoreContent> content = contentOf(**opened);
    return content ? ledger.violations(*content)
                   : std::vector<std::string>{content.error().message};
}

} // namespace octostore::test
