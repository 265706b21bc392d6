// SPDX-License-Identifier: MIT
#include <octostore/backend/Codec.h>

#include <gtest/gtest.h>

#include <support/FakeRandom.h>

namespace octostore::backend
{
namespace
{

/// Draws values of every shape from one seeded source.
class RandomValues
{
public:
    explicit RandomValues(std::uint64_t seed) : _random(seed) {}

    std::uint64_t seed() const { return _random.seed(); }
    bool flip() { return _random.number(1) == 1; }
    std::uint64_t counter() { return flip() ? _random.number(5) : _random.number(INT64_MAX); }
    std::int64_t integer() { return static_cast<std::int64_t>(_random.number(UINT64_MAX)); }
    template <class Enumeration>
    Enumeration enumerator(Enumeration first, Enumeration last)
    {
        const auto low = static_cast<std::uint64_t>(first);
        return static_cast<Enumeration>(low +
                                        _random.number(static_cast<std::uint64_t>(last) - low));
    }
    std::string text()
    {
        static const std::vector<std::string> pieces{"a",
                                                     "lock/name",
                                                     "\"",
                                                     "\\",
                                                     "\n",
                                                     std::string(1, '\0'),
                                                     "\x1f",
                                                     "\x7f",
                                                     "\xC3\xA9",
                                                     "\xE6\xBC\xA2",
                                                     "\xF0\x9F\x98\x80",
                                                     "\xE2\x80\xA8",
                                                     "{}",
                                                     "null"};
        std::string result;
        for (std::uint64_t n = _random.number(4); n > 0; --n)
            result += pieces[_random.number(pieces.size() - 1)];
        return result;
    }
    template <std::size_t N>
    std::array<std::uint8_t, N> bytes()
    {
        return flip() ? _random.bytes<N>() : std::array<std::uint8_t, N>{};
    }
    Uuid uuid() { return Uuid{bytes<16>()}; }
    WallTime wall() { return WallTime(std::chrono::nanoseconds(integer())); }
    Milliseconds milliseconds() { return Milliseconds(integer()); }
    Deadline deadline() { return {BootTime(std::chrono::nanoseconds(integer())), text(), wall()}; }

    LeaseRecord lease();
    Value value(Collection collection);
    std::optional<event::Holding> holding();
    event::Draft draft();

private:
    test::FakeRandom _random;
};

LeaseRecord RandomValues::lease()
{
    LeaseRecord lease;
    lease.state = enumerator(LeaseState::Held, LeaseState::Vacant);
    lease.kind = enumerator(LeaseKind::Lock, LeaseKind::Election);
    lease.term = Term(counter());
    lease.holder.uuid = uuid();
    lease.principal.uuid = uuid();
    lease.label = text();
    lease.lease.uuid = uuid();
    lease.secretDigest = bytes<32>();
    lease.tokenNonce = bytes<16>();
    if (flip())
        lease.metadata = text();
    lease.ttl = milliseconds();
    lease.lockDelay = milliseconds();
    lease.session.uuid = uuid();
    lease.ephemeral = flip();
    lease.grantedAt = wall();
    lease.deadline = deadline();
    lease.cause = enumerator(event::Cause::None, event::Cause::Undelivered);
    lease.endedAt = wall();
    return lease;
}

Value RandomValues::value(Collection collection)
{
    switch (collection)
    {
    case Collection::Lease:
        return lease();
    case Collection::Acl:
        return AclRecord{{text(), text()}};
    case Collection::Session:
        return SessionRecord{{uuid()}, text(), milliseconds(), deadline()};
    case Collection::Principal:
        return PrincipalRecord{{uuid()}, text(), text(), bytes<32>(), text(), text(), wall()};
    case Collection::Webhook:
        return WebhookRecord{text()};
    case Collection::Cursor:
        return CursorRecord{text()};
    case Collection::Meta:
        return MetaRecord{text()};
    }
    return {};
}

std::optional<event::Holding> RandomValues::holding()
{
    if (flip())
        return std::nullopt;
    event::Holding holding{text(), Term(counter()), std::nullopt};
    if (flip())
        holding.expiresAt = wall();
    return holding;
}

event::Draft RandomValues::draft()
{
    using namespace event;
    Draft draft;
    draft.type = enumerator(Type::LockAcquired, event::lastType);
    for (std::uint64_t n = _random.number(2); n > 0; --n)
        draft.facts.push_back(enumerator(Type::LockAcquired, event::lastType));
    draft.time = wall();
    draft.kind = enumerator(ResourceKind::Lock, ResourceKind::Backup);
    draft.name = text();
    draft.cause = enumerator(Cause::None, Cause::Undelivered);
    draft.actor = {enumerator(ActorKind::System, ActorKind::Admin), text()};
    draft.request.uuid = uuid();
    draft.previous = holding();
    draft.current = holding();
    if (flip())
        draft.vacantMs = counter();
    return draft;
}

constexpr std::array allCollections{Collection::Lease,     Collection::Acl,     Collection::Session,
                                    Collection::Principal, Collection::Webhook, Collection::Cursor,
                                    Collection::Meta};

class CodecTest : public testing::Test
{
protected:
    RandomValues random{1};
};

TEST_F(CodecTest, EveryValueReadsBackAsItWas)
{
    for (int round = 0; round < 1000; ++round)
    {
        for (const Collection collection : allCollections)
        {
            const Value value = random.value(collection);
            const std::string text = encodeValue(value);
            const Result<Value> back = decodeValue(collection, text);
            ASSERT_TRUE(back) << "seed " << random.seed() << ": " << back.error().message << text;
            ASSERT_EQ(*back, value) << "seed " << random.seed() << ": " << text;
        }
    }
}

TEST_F(CodecTest, EveryEventReadsBackAsItWas)
{
    for (int round = 0; round < 2000; ++round)
    {
        const event::Draft draft = random.draft();
        const std::string text = encodeEvent(draft);
        const Result<event::Draft> back = decodeEvent(text);
        ASSERT_TRUE(back) << "seed " << random.seed() << ": " << back.error().message << text;
        ASSERT_EQ(*back, draft) << "seed " << random.seed() << ": " << text;
    }
}

TEST_F(CodecTest, AnErasedValueIsNull)
{
    EXPECT_EQ(encodeValue(Value()), "null");
    EXPECT_EQ(*decodeValue(Collection::Lease, "null"), Value());
}

TEST_F(CodecTest, TextOfAReleasedVersionIsStillUnderstood)
{
    const Result<Value> lease = decodeValue(
        Collection::Lease,
        R"({"v":1,"state":1,"kind":2,"term":7,"holder":"000102030405060708090a0b0c0d0e0f",)"
        R"("label":"worker-1","ttl":30000,"delay":0,"ephemeral":false,"granted":1785718923000000000,)"
        R"("until":{"boot":1030000000000,"clock":"b:n","wall":1785718953000000000},"cause":0,)"
        R"("ended":0,"later":"members are ignored"})");
    ASSERT_TRUE(lease) << lease.error().message;
    const auto& record = std::get<LeaseRecord>(*lease);
    EXPECT_EQ(record.term, Term(7));
    EXPECT_EQ(record.label, "worker-1");
    EXPECT_EQ(record.holder.toString(), "00010203-0405-0607-0809-0a0b0c0d0e0f");
    EXPECT_EQ(record.deadline.clock, "b:n");
    EXPECT_TRUE(record.lease.isNil());
}

TEST_F(CodecTest, WrongMembersAreCorrupt)
{
    for (const char* text :
         {"", "{}", "5", "null ", "{\"v\":2,\"text\":\"x\"}", "{\"v\":\"1\",\"text\":\"x\"}",
          "{\"v\":1}", "{\"v\":1,\"text\":5}", "{\"v\":1,\"text\":null}", "{\"text\":\"x\"}"})
    {
        const Result<Value> value = decodeValue(Collection::Meta, text);
        ASSERT_FALSE(value) << text;
        EXPECT_EQ(value.error().code, ErrorCode::Corrupt);
    }
    EXPECT_TRUE(decodeValue(Collection::Meta, R"({"v":1,"text":"x"})"));
}

TEST_F(CodecTest, EnumeratorsAndDigestsOutOfRangeAreCorrupt)
{
    LeaseRecord lease;
    lease.secretDigest[0] = 1;
    const std::string good = encodeValue(lease);
    ASSERT_TRUE(decodeValue(Collection::Lease, good));
    const std::vector<std::pair<std::string, std::string>> faults{
        {"\"state\":3", "\"state\":4"},         {"\"state\":3", "\"state\":0"},
        {"\"kind\":1", "\"kind\":3"},           {"\"cause\":0", "\"cause\":8"},
        {"\"cause\":0", "\"cause\":-1"},        {"\"term\":0", "\"term\":-1"},
        {"\"secret\":\"01", "\"secret\":\"0"},  {"\"secret\":\"01", "\"secret\":\"0x"},
        {"\"until\":{", "\"until\":5,\"x\":{"}, {"\"boot\":0", "\"boot\":\"0\""},
    };
    for (const auto& [from, to] : faults)
    {
        std::string text = good;
        ASSERT_NE(text.find(from), std::string::npos) << from;
        text.replace(text.find(from), from.size(), to);
        EXPECT_FALSE(decodeValue(Collection::Lease, text)) << text;
    }
}

TEST_F(CodecTest, DamagedTextNeverCrashes)
{
    test::FakeRandom damage(2);
    int refused = 0;
    for (int round = 0; round < 3000; ++round)
    {
        const Collection collection = allCollections[damage.number(allCollections.size() - 1)];
        std::string value = encodeValue(random.value(collection));
        std::string event = encodeEvent(random.draft());
        for (std::string* text : {&value, &event})
        {
            if (damage.number(1) == 0)
                text->resize(damage.number(text->size() - 1));
            else
                (*text)[damage.number(text->size() - 1)] = static_cast<char>(damage.number(255));
        }
        refused += decodeValue(collection, value).ok() ? 0 : 1;
        refused += decodeEvent(event).ok() ? 0 : 1;
    }
    EXPECT_GT(refused, 3000) << "seeds " << random.seed() << ' ' << damage.seed();
}

TEST_F(CodecTest, ACommitStampsOnlyWhatHasNoTermYet)
{
    Value fresh = LeaseRecord{};
    stamp(fresh, Revision(9));
    EXPECT_EQ(std::get<LeaseRecord>(fresh).term, Term(9));
    stamp(fresh, Revision(10));
    EXPECT_EQ(std::get<LeaseRecord>(fresh).term, Term(9));
    Value other = MetaRecord{"x"};
    stamp(other, Revision(9));
    EXPECT_EQ(other, Value(MetaRecord{"x"}));

    event::Draft draft;
    draft.previous = event::Holding{"a", Term(3), std::nullopt};
    draft.current = event::Holding{"b", Term(), std::nullopt};
    stamp(draft, Revision(9));
    EXPECT_EQ(draft.previous->term, Term(3));
    EXPECT_EQ(draft.current->term, Term(9));
}

} // namespace
} // namespace octostore::backend
