// SPDX-License-Identifier: MIT
#include "BackendConformance.h"

namespace octostore::test
{

using backend::Collection;
using backend::Record;

TEST_P(BackendConformance, AFreshStoreIsEmpty)
{
    EXPECT_TRUE(loaded.empty());
    EXPECT_EQ(loadedRevision, Revision{});
    EXPECT_TRUE(events().empty());
    EXPECT_TRUE(isNothing(read(leaseKey("a"))));
}

TEST_P(BackendConformance, EveryKindOfRecordComesBackAsItWasPut)
{
    std::map<backend::Key, Record> expected;
    for (const Collection collection : allCollections())
    {
        for (std::uint8_t seed = 1; seed <= 6; ++seed)
        {
            const backend::Key key{collection, "n" + std::to_string(seed)};
            const backend::Value value = sampleValue(collection, seed);
            expected[key] = {key, value, mustCommit(Draft().put(key, value))};
        }
    }
    for (const auto& [key, record] : expected)
    {
        EXPECT_EQ(read(key), record);
        EXPECT_EQ(mustConflict(Draft().when(absent(key))), std::vector{record});
    }
    restart();
    EXPECT_EQ(loaded, expected);
}

TEST_P(BackendConformance, EmptyAndExtremeFieldsComeBackAsTheyWerePut)
{
    backend::LeaseRecord bare;
    bare.term = Term(1);
    backend::LeaseRecord emptyMetadata = bare;
    emptyMetadata.metadata = "";
    backend::LeaseRecord extreme = sampleLease(1, Term((std::uint64_t{1} << 62) + 1));
    extreme.metadata = std::string(20'000, 'x');
    extreme.grantedAt = WallTime(std::chrono::nanoseconds(-1));
    extreme.deadline.boot = BootTime(BootClock::duration(INT64_MAX));
    const std::vector<backend::Record> records = {
        {leaseKey("bare"), bare, {}},
        {leaseKey("empty-metadata"), emptyMetadata, {}},
        {leaseKey("extreme"), extreme, {}},
        {{Collection::Acl, "nobody"}, backend::AclRecord{}, {}},
        {{Collection::Session, "bare"}, backend::SessionRecord{}, {}},
        {{Collection::Principal, "bare"}, backend::PrincipalRecord{}, {}},
        {metaKey("empty"), metaValue(""), {}},
    };
    for (const Record& record : records)
    {
        mustCommit(Draft().put(record.key, record.value));
        EXPECT_EQ(read(record.key).value, record.value) << record.key.name;
    }
    restart();
    for (const Record& record : records)
        EXPECT_EQ(loaded[record.key].value, record.value) << record.key.name;
}

TEST_P(BackendConformance, NamesMayHaveAnyCharacterAndAreToldApartByteByByte)
{
    const std::vector<std::string> names = {
        "a",  "A",    "a ", " a", "__election/3f",      "\u00fc", "u\u0308", "a'b\"c\\d", "100%_?*",
        "\n", "\x01", ".",  "/",  std::string(500, 'n')};
    for (const std::string& name : names)
        mustCommit(Draft().put(leaseKey(name), sampleLease(1)).put(metaKey(name), metaValue(name)));
    restart();
    EXPECT_EQ(loaded.size(), names.size() * 2);
    for (const std::string& name : names)
        EXPECT_EQ(loaded[metaKey(name)].value, metaValue(name));
}

TEST_P(BackendConformance, TheSameNameInTwoCollectionsIsTwoRecords)
{
    for (const Collection collection : allCollections())
        mustCommit(Draft().put({collection, "same"}, sampleValue(collection)));
    mustCommit(Draft().erase({Collection::Acl, "same"}));
    for (const Collection collection : allCollections())
        EXPECT_EQ(isNothing(read({collection, "same"})), collection == Collection::Acl);
}

TEST_P(BackendConformance, AVersionIsTheRevisionOfTheLastWrite)
{
    const auto key = metaKey("a");
    mustCommit(Draft().put(key, metaValue("1")));
    const Revision second = mustCommit(Draft().put(key, metaValue("2")));
    mustCommit(Draft().put(metaKey("other"), metaValue("x")));
    EXPECT_EQ(read(key), (Record{key, metaValue("2"), second}));
}

TEST_P(BackendConformance, ARecordPutAgainAfterItsErasureHasAHigherVersion)
{
    const auto key = leaseKey("a");
    const Revision first = mustCommit(Draft().put(key, sampleLease(1)));
    const Revision erased = mustCommit(Draft().erase(key));
    EXPECT_GT(erased, first);
    EXPECT_TRUE(isNothing(read(key)));
    const Revision again = mustCommit(Draft().put(key, sampleLease(2)));
    EXPECT_GT(again, erased);
    EXPECT_EQ(read(key), (Record{key, sampleLease(2, Term(again.value())), again}));
}

TEST_P(BackendConformance, AnErasedRecordIsNotLoaded)
{
    mustCommit(Draft().put(leaseKey("a"), sampleLease(1)).put(metaKey("a"), metaValue("1")));
    mustCommit(Draft().erase(leaseKey("a")));
    restart();
    EXPECT_EQ(loaded.size(), 1U);
    EXPECT_TRUE(loaded.contains(metaKey("a")));
}

TEST_P(BackendConformance, TermZeroBecomesTheRevisionAndAnyOtherTermStays)
{
    const Revision revision = mustCommit(Draft()
                                             .put(leaseKey("granted"), sampleLease(1))
                                             .put(leaseKey("renewed"), sampleLease(2, Term(5))));
    EXPECT_EQ(read(leaseKey("granted")).value,
              backend::Value(sampleLease(1, Term(revision.value()))));
    EXPECT_EQ(read(leaseKey("renewed")).value, backend::Value(sampleLease(2, Term(5))));
}

TEST_P(BackendConformance, ReadAnswersInTheOrderOfTheKeys)
{
    mustCommit(Draft().put(metaKey("a"), metaValue("1")).put(metaKey("c"), metaValue("3")));
    const auto found = read({metaKey("c"), metaKey("b"), metaKey("a"), metaKey("c")});
    EXPECT_EQ(found[0].value, metaValue("3"));
    EXPECT_EQ(found[1].key, metaKey("b"));
    EXPECT_TRUE(isNothing(found[1]));
    EXPECT_EQ(found[2].value, metaValue("1"));
    EXPECT_EQ(found[3], found[0]);
}

TEST_P(BackendConformance, ReadOfNoKeysIsAnswered)
{
    EXPECT_TRUE(read(std::vector<backend::Key>{}).empty());
}

} // namespace octostore::test
