// SPDX-License-Identifier: MIT
// Goal: a name means the same lock however it is written, and never another one.
// Method: acquire under one spelling, look under others.
#include "ApiTest.h"

#include <string>
#include <utility>
#include <vector>

namespace octostore::test
{
namespace
{

class LockNamesTest : public ApiTest
{
protected:
    std::string holderState(const std::string& spelling)
    {
        const Call call = _server.get("/locks/" + spelling, alice);
        return call.status() == 200 ? textOf(call.json(), "status") : std::to_string(call.status());
    }
};

TEST_F(LockNamesTest, EverySpellingOfANameIsTheSameLock)
{
    const std::vector<std::pair<std::string, std::vector<std::string>>> names = {
        {"repos/acme/app/issues/1842",
         {"repos%2Facme%2Fapp%2Fissues%2F1842", "repos%2facme/app%2Fissues/1842",
          "repos/acme/app/issues/%31842"}},
        {"%C3%BCber",
         {"%c3%bcber", "\xC3\xBC"
                       "ber"}},
        {"%E6%9D%B1/%E4%BA%AC", {"%E6%9D%B1%2F%E4%BA%AC", "\xE6\x9D\xB1/\xE4\xBA\xAC"}},
        {"a.b-c_d", {"a%2Eb%2Dc%5Fd"}},
    };
    for (const auto& [first, others] : names)
    {
        leaseOf(first, alice);
        for (const std::string& spelling : others)
            EXPECT_EQ(holderState(spelling), "held") << spelling;
    }
    EXPECT_EQ(
        textOf(_server.get("/locks/repos%2Facme%2Fapp%2Fissues%2F1842", alice).json(), "name"),
        "repos/acme/app/issues/1842");
}

TEST_F(LockNamesTest, NamesThatLookAlikeAreDifferentLocks)
{
    leaseOf("Stra%C3%9Fe", alice);
    EXPECT_EQ(holderState("Strasse"), "free");
    leaseOf("%C3%A9", alice); // composed é
    EXPECT_EQ(holderState("A"), "free");
    leaseOf("a", alice);
    EXPECT_EQ(holderState("A"), "free");
    EXPECT_EQ(holderState("a/."), "free");
}

TEST_F(LockNamesTest, TheLastPlainSegmentIsTheActionOnlyWhereThereIsANameBeforeIt)
{
    EXPECT_EQ(textOf(_server.get("/locks/acquire", alice).json(), "name"), "acquire");
    leaseOf("acquire", alice);
    EXPECT_EQ(holderState("acquire"), "held");
    leaseOf("x%2Facquire", alice);
    EXPECT_EQ(holderState("x%2Facquire"), "held");
    EXPECT_EQ(holderState("x/%61cquire"), "held");
    EXPECT_EQ(holderState("x"), "free");
    expectError(_server.get("/locks/x/acquire", alice), 405, "invalid_input");
    expectError(_server.post("/locks/x%2Facquire", "{}", alice), 405, "invalid_input");
}

TEST_F(LockNamesTest, BadSpellingsAreRefused)
{
    const std::vector<std::pair<std::string, int>> spellings = {
        {"%252F", 400},   {"..", 400},   {"a/..", 400},
        {"a%20b", 400},   {"a+b", 400},  {"%2Fa", 400},
        {"a%2F", 400},    {"a//b", 400}, {"a%2F%2Fb", 400},
        {"e%CC%81", 400}, {"", 404},     {"a/", 404},
        {"%FF", 400},     {"%zz", 400},  {std::string(65, 'a'), 400},
    };
    for (const auto& [spelling, status] : spellings)
        EXPECT_EQ(_server.get("/locks/" + spelling, alice).status(), status) << spelling;
    expectError(_server.post("/locks//acquire", "{}", alice), 400, "invalid_lock_name");
    EXPECT_EQ(holderState("a?b=/c/acquire"), "free") << "the query is no part of the name";
}

TEST_F(LockNamesTest, TheServersOwnNamesAreForbiddenToEverybody)
{
    for (const char* name : {"__election/room-0001", "__election%2Froom-0001", "__octostore/x"})
    {
        expectError(acquire(name, root), 403, "forbidden");
        expectError(_server.get(std::string("/locks/") + name, root), 403, "forbidden");
    }
    for (const char* name : {"__election", "__elections/x", "__octostore"})
        EXPECT_EQ(acquire(name, alice).status(), 200) << name;
}

TEST_F(LockNamesTest, ANamespaceIsAPrefixWithADot)
{
    EXPECT_EQ(acquire("team.x", carol).status(), 200);
    for (const char* name : {"team", "teams.x", "team/x", "Team.x"})
        expectError(acquire(name, carol), 403, "forbidden");
    EXPECT_EQ(acquire("elsewhere", root).status(), 200);
}

} // namespace
} // namespace octostore::test
