// SPDX-License-Identifier: MIT
/// Goal: a backend behaves as a map would, whatever it is asked.
/// Method: random transactions on a few names, in random batches, on the backend and on a std::map
/// with the plainest rules; after each batch all outcomes and now and then everything else is
/// compared, also after a restart. The seed is printed; OCTOSTORE_TEST_SEED repeats it.
#include "BackendConformance.h"
#include "support/TestSeed.h"

#include <octostore/backend/Codec.h>

#include <random>
#include <set>
#include <variant>

namespace octostore::test
{

using backend::Condition;
using backend::Key;
using backend::Record;

namespace
{

class Model
{
public:
    /// The records behind the conditions that fail.
    std::vector<Record> judge(const backend::Transaction& transaction) const
    {
        std::vector<Record> failed;
        for (const Condition& condition : transaction.conditions)
        {
            const auto found = records.find(condition.key);
            const bool there = found != records.end();
            const bool holds = condition.kind == Condition::Kind::Absent ? !there
                               : condition.kind == Condition::Kind::Present
                                   ? there
                                   : there && found->second.version == condition.version;
            if (!holds)
                failed.push_back(there ? found->second : Record{condition.key, {}, {}});
        }
        return failed;
    }

    void apply(const backend::Transaction& transaction, Revision revision)
    {
        for (const backend::Put& put : transaction.puts)
        {
            backend::Value value = put.value;
            backend::stamp(value, revision);
            records[put.key] = {put.key, value, revision};
        }
        for (const Key& key : transaction.erasures)
            records.erase(key);
        if (!transaction.event)
            return;
        event::Draft draft = *transaction.event;
        backend::stamp(draft, revision);
        journal.push_back({Sequence(revision.value()), draft});
    }

    std::map<Key, Record> records;
    std::vector<event::Event> journal;
    Revision last;
};

class Generator
{
public:
    explicit Generator(unsigned seed) : _random(seed) {}

    int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(_random); }

    Key key()
    {
        const auto& all = allCollections();
        // Leases twice as often: they have a table of their own.
        const auto pick = static_cast<std::size_t>(upTo(static_cast<int>(all.size())));
        return {all[pick % all.size()], "name" + std::to_string(upTo(3))};
    }

    backend::Transaction transaction(const Model& model)
    {
        Draft draft;
        for (int i = upTo(2); i > 0; --i)
            draft.when(condition(model));
        // No store has to say what two writes of one key in one transaction mean.
        std::set<Key> written;
        for (int i = upTo(3); i > 0; --i)
        {
            if (const Key on = key(); written.insert(on).second)
                put(draft, on);
        }
        for (int i = upTo(4) - 2; i > 0; --i)
        {
            if (const Key on = key(); written.insert(on).second)
                draft.erase(on);
        }
        if (upTo(1) == 0)
            draft.event(sampleEvent("event" + std::to_string(upTo(99))));
        return draft;
    }

private:
    Condition condition(const Model& model)
    {
        const Key on = key();
        const auto found = model.records.find(on);
        // Mostly what holds, or nothing would ever be committed.
        if (upTo(9) == 0)
            return atVersion(on, Revision(static_cast<std::uint64_t>(upTo(100))));
        if (upTo(9) == 0)
            return upTo(1) == 0 ? present(on) : absent(on);
        if (found == model.records.end())
            return absent(on);
        return upTo(1) == 0 ? present(on) : atVersion(on, found->second.version);
    }

    void put(Draft& draft, const Key& on)
    {
        const auto seed = static_cast<std::uint8_t>(1 + upTo(9));
        draft.put(on, on.collection == backend::Collection::Lease && upTo(1) == 0
                          ? backend::Value(sampleLease(seed))
                          : sampleValue(on.collection, seed));
    }

    std::mt19937 _random;
};

/// What the backend and the model made of one transaction is the same.
void compare(Model& model, const backend::Transaction& transaction, const backend::Outcome& outcome)
{
    const std::vector<Record> failed = model.judge(transaction);
    if (const auto* committed = std::get_if<backend::Committed>(&outcome.result))
    {
        EXPECT_TRUE(failed.empty()) << "committed against its conditions";
        EXPECT_GT(committed->revision, model.last);
        model.last = committed->revision;
        model.apply(transaction, committed->revision);
        return;
    }
    const auto* conflict = std::get_if<backend::Conflict>(&outcome.result);
    ASSERT_NE(conflict, nullptr);
    ASSERT_EQ(conflict->current.size(), failed.size());
    for (std::size_t i = 0; i < failed.size(); ++i)
    {
        EXPECT_EQ(conflict->current[i].key, failed[i].key);
        EXPECT_EQ(conflict->current[i].value, failed[i].value);
        if (isNothing(failed[i]))
            continue;
        EXPECT_EQ(conflict->current[i].version, failed[i].version);
    }
}

} // namespace

TEST_P(BackendConformance, RandomTransactionsDoWhatTheyDoToAMap)
{
    const auto seed = static_cast<unsigned>(test::testSeed());
    SCOPED_TRACE("OCTOSTORE_TEST_SEED=" + std::to_string(seed));
    Generator random(seed);
    Model model;
    for (int round = 0; round < 150 && !HasFailure(); ++round)
    {
        std::vector<backend::Transaction> batch;
        for (int i = 1 + random.upTo(20); i > 0; --i)
            batch.push_back(random.transaction(model));
        const auto outcomes = commit(batch);
        for (std::size_t i = 0; i < batch.size() && !HasFailure(); ++i)
            compare(model, batch[i], outcomes[i]);
        if (round % 30 != 29)
            continue;
        restart();
        EXPECT_EQ(loaded, model.records);
        EXPECT_EQ(loadedRevision, model.last);
        EXPECT_EQ(events(), model.journal);
    }
}

} // namespace octostore::test
