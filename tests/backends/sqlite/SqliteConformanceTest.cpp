// SPDX-License-Identifier: MIT
#include "SqliteFixture.h"

#include <conformance/backend/BackendConformance.h>

namespace octostore::test
{

namespace
{

class SqliteUnderTest final : public StoreUnderTest
{
public:
    std::unique_ptr<backend::Backend> open() override
    {
        sqlite::Options options;
        options.path = _folder.file("octostore.db");
        options.clock = &_clock;
        auto opened = sqlite::SqliteBackend::open(std::move(options));
        EXPECT_TRUE(opened.ok()) << opened.error().message;
        return opened ? *std::move(opened) : nullptr;
    }

private:
    TemporaryDirectory _folder;
    SystemClock _clock;
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Sqlite, BackendConformance,
                         ::testing::Values(BackendUnderTest{
                             "sqlite", [] { return std::make_unique<SqliteUnderTest>(); }}));

} // namespace octostore::test
