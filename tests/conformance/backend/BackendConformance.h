// SPDX-License-Identifier: MIT
/// @file
/// The suite every backend passes. A backend's test folder instantiates it:
///     INSTANTIATE_TEST_SUITE_P(Sqlite, BackendConformance,
///     ::testing::Values(BackendUnderTest{...}));
#pragma once

#include "RecordingListener.h"
#include "Samples.h"

#include <octostore/backend/Backend.h>

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace octostore::test
{

/// One store, fresh when made, gone when destroyed.
class StoreUnderTest
{
public:
    virtual ~StoreUnderTest();
    /// Another server on the same store. The one before is destroyed.
    virtual std::unique_ptr<backend::Backend> open() = 0;
};

struct BackendUnderTest
{
    std::string name;
    std::function<std::unique_ptr<StoreUnderTest>()> make;
};
std::ostream& operator<<(std::ostream& out, const BackendUnderTest& backend);

/// A started backend on a fresh store.
class BackendConformance : public ::testing::TestWithParam<BackendUnderTest>
{
protected:
    using Records = std::map<backend::Key, backend::Record>;

    void SetUp() override;
    void TearDown() override;

    /// Stops the backend, opens the store again and starts. What it loaded is in `loaded`.
    void restart();

    /// Gives each its id, commits them in one call and waits. One outcome each, in the order of the
    /// transactions; the test has failed when one is missing.
    std::vector<backend::Outcome> commit(std::vector<backend::Transaction> batch);
    backend::Outcome commit(backend::Transaction transaction);
    /// The revision; the test has failed when it was not committed.
    Revision mustCommit(backend::Transaction transaction);
    /// What the failed conditions met; the test has failed when it was no conflict.
    std::vector<backend::Record> mustConflict(backend::Transaction transaction);

    std::vector<backend::Record> read(std::vector<backend::Key> keys);
    backend::Record read(backend::Key key);
    std::vector<event::Event> events(Sequence after = Sequence{}, std::size_t limit = 10'000);

    /// Gives each an id of its own.
    void number(std::vector<backend::Transaction>& batch);

    std::unique_ptr<StoreUnderTest> store;
    std::unique_ptr<RecordingListener> listener;
    std::unique_ptr<backend::Backend> server;
    Records loaded;          // by the last start
    Revision loadedRevision; // by the last start

private:
    void start();

    std::uint64_t _lastTransaction = 0;
    std::uint64_t _lastRead = 0;
};

/// Whether it was committed, and at what revision.
std::optional<Revision> committedAt(const backend::Outcome& outcome);
/// An erased record, or one that never was: its version may be 0 or that of the erasure.
bool isNothing(const backend::Record& record);

} // namespace octostore::test
