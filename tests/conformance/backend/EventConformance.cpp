// SPDX-License-Identifier: MIT
#include "BackendConformance.h"

#include <cstdint>
#include <limits>
#include <variant>

namespace octostore::test
{

TEST_P(BackendConformance, OneNumberIsRevisionVersionTermAndSequence)
{
    const Revision revision =
        mustCommit(Draft().put(leaseKey("a"), sampleLease(1)).event(sampleEvent("a")));
    const backend::Record record = read(leaseKey("a"));
    EXPECT_EQ(record.version, revision);
    EXPECT_EQ(std::get<backend::LeaseRecord>(record.value).term.value(), revision.value());
    const auto all = events();
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].sequence.value(), revision.value());
    EXPECT_EQ(all[0].what.current->term.value(), revision.value());
}

TEST_P(BackendConformance, AnEventComesBackAsItWasWritten)
{
    event::Draft full = sampleEvent("a");
    event::Draft bare;
    bare.name = "b";
    const Revision first = mustCommit(Draft().event(full));
    const Revision second = mustCommit(Draft().event(bare));
    full.current->term = Term(first.value());
    const std::vector<event::Event> expected = {{Sequence(first.value()), full},
                                                {Sequence(second.value()), bare}};
    EXPECT_EQ(events(), expected);
    restart();
    EXPECT_EQ(events(), expected);
}

TEST_P(BackendConformance, ATransactionWithoutAnEventLeavesAGap)
{
    const Revision first = mustCommit(Draft().event(sampleEvent("a")));
    const Revision silent = mustCommit(Draft().put(metaKey("a"), metaValue("1")));
    const Revision third = mustCommit(Draft().event(sampleEvent("b")));
    EXPECT_LT(silent, third);
    const auto all = events();
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].sequence.value(), first.value());
    EXPECT_EQ(all[1].sequence.value(), third.value());
}

TEST_P(BackendConformance, EventsAreReadPageByPage)
{
    std::vector<backend::Transaction> batch;
    for (int i = 0; i < 25; ++i)
        batch.push_back(Draft().event(sampleEvent(std::to_string(i))));
    commit(std::move(batch));

    std::vector<std::string> names;
    std::vector<std::size_t> sizes;
    Sequence after;
    for (;;)
    {
        const auto page = events(after, 10);
        sizes.push_back(page.size());
        if (page.empty())
            break;
        for (const event::Event& event : page)
        {
            EXPECT_GT(event.sequence, after);
            after = event.sequence;
            names.push_back(event.what.name);
        }
    }
    EXPECT_EQ(sizes, (std::vector<std::size_t>{10, 10, 5, 0}));
    ASSERT_EQ(names.size(), 25U);
    for (int i = 0; i < 25; ++i)
        EXPECT_EQ(names[static_cast<std::size_t>(i)], std::to_string(i));
}

TEST_P(BackendConformance, APageOfNothingAndAPageBehindTheEndAreEmpty)
{
    mustCommit(Draft().event(sampleEvent("a")));
    EXPECT_TRUE(events(Sequence{}, 0).empty());
    EXPECT_TRUE(events(Sequence(std::numeric_limits<std::uint64_t>::max())).empty());
    EXPECT_EQ(events(Sequence{}, std::numeric_limits<std::size_t>::max()).size(), 1U);
}

TEST_P(BackendConformance, TrimmingForgetsUpToAndIncluding)
{
    const Revision first = mustCommit(Draft().event(sampleEvent("1")));
    const Revision second = mustCommit(Draft().event(sampleEvent("2")));
    const Revision third = mustCommit(Draft().event(sampleEvent("3")));
    ASSERT_TRUE(server->trimEvents(Sequence(second.value())).ok());
    auto left = events();
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left[0].sequence.value(), third.value());

    ASSERT_TRUE(server->trimEvents(Sequence(first.value())).ok());
    EXPECT_EQ(events(), left);
    restart();
    EXPECT_EQ(events(), left);
}

TEST_P(BackendConformance, TrimmingManyEventsLeavesTheRest)
{
    std::vector<backend::Transaction> batch;
    for (int i = 0; i < 2500; ++i)
        batch.push_back(Draft().event(sampleEvent("x")));
    const auto outcomes = commit(std::move(batch));
    ASSERT_TRUE(server->trimEvents(Sequence(committedAt(outcomes[2400])->value())).ok());
    EXPECT_EQ(events().size(), 99U);
}

TEST_P(BackendConformance, CountersDoNotGoBackWhenEverythingIsForgotten)
{
    mustCommit(Draft().put(metaKey("a"), metaValue("1")).event(sampleEvent("a")));
    const Revision last = mustCommit(Draft().erase(metaKey("a")).event(sampleEvent("b")));
    ASSERT_TRUE(server->trimEvents(Sequence(std::numeric_limits<std::uint64_t>::max())).ok());
    EXPECT_TRUE(events().empty());
    restart();
    EXPECT_TRUE(loaded.empty());
    EXPECT_EQ(loadedRevision, last);
    EXPECT_GT(mustCommit(Draft().event(sampleEvent("c"))), last);
}

} // namespace octostore::test
