// SPDX-License-Identifier: MIT
#include "TurnJudge.h"

#include <algorithm>
#include <sstream>

namespace octostore::simulation
{

namespace
{

constexpr std::string_view prefix = "waiting/";
/// Who comes while a server passes its turn on may be too late for it.
constexpr std::chrono::milliseconds passing{200};

std::string nameOf(const backend::Key& turns)
{
    return turns.name.substr(prefix.size());
}

std::vector<std::string> wordsOf(const backend::Value& value)
{
    std::vector<std::string> words;
    if (const auto* record = std::get_if<backend::MetaRecord>(&value))
    {
        std::istringstream text(record->text);
        for (std::string word; text >> word;)
            words.push_back(word);
    }
    return words;
}

} // namespace

bool isTurns(const backend::Key& key)
{
    return key.collection == backend::Collection::Meta &&
           key.name.compare(0, prefix.size(), prefix) == 0;
}

void TurnJudge::broken(const std::string& what)
{
    if (_verdict.empty())
        _verdict = "G6: " + what;
}

void TurnJudge::serverCrashed(std::uint64_t server)
{
    _ids.erase(server);
    for (auto& [name, watched] : _names)
    {
        watched.waiters.erase(server);
        watched.passedOver.erase(server);
    }
}

void TurnJudge::granted(const std::string& name, Revision revision)
{
    Name& watched = _names[name];
    watched.grant = revision;
    watched.before = watched.servers;
    if (!watched.before.empty())
        watched.turns[revision] = watched.before.front();
}

void TurnJudge::changed(const backend::Record& record)
{
    if (!isTurns(record.key))
        return;
    const std::string name = nameOf(record.key);
    Name& watched = _names[name];
    const Servers before = std::exchange(watched.servers, wordsOf(record.value));
    if (record.version != watched.grant)
        judgeChange(name, watched, before);
}

void TurnJudge::restored(const std::vector<backend::Record>& records)
{
    for (auto& [name, watched] : _names)
    {
        watched.servers.clear();
        watched.before.clear();
    }
    for (const backend::Record& record : records)
        if (isTurns(record.key))
            _names[nameOf(record.key)].servers = wordsOf(record.value);
}

/// Beside grants: one server more behind the others, or the first of them goes.
void TurnJudge::judgeChange(const std::string& name, Name& watched, const Servers& before)
{
    const Servers& now = watched.servers;
    if (now.size() == before.size() + 1 && std::equal(before.begin(), before.end(), now.begin()))
        return;
    if (before.empty() || now != Servers(before.begin() + 1, before.end()))
        broken("somebody pushed in front at " + name);
    else
        countTaken(name, watched, before.front());
}

void TurnJudge::countTaken(const std::string& name, const Name& watched, const std::string& server)
{
    const auto up = std::find_if(_ids.begin(), _ids.end(),
                                 [&server](const auto& entry) { return entry.second == server; });
    if (up == _ids.end())
        _world.count("turn of a server that is gone");
    else if (const auto waiters = watched.waiters.find(up->first);
             waiters == watched.waiters.end() || waiters->second.count == 0 ||
             waiters->second.since + passing > _world.bootTime())
        _world.count("turn passed on");
    else
    {
        _world.count("turn missed");
        if (_calm)
            broken("its turn was taken from a server that is well: " + name);
    }
}

/// The server whose turn it was is behind the others now, or does not wait any more.
void TurnJudge::committed(Revision revision)
{
    for (auto& [name, watched] : _names)
    {
        if (watched.grant != revision || watched.before.empty())
            continue;
        Servers expected(watched.before.begin() + 1, watched.before.end());
        const Servers gone = expected;
        expected.push_back(watched.before.front());
        if (watched.servers != expected && watched.servers != gone)
            broken("a grant that is nobody's turn: " + name);
        else if (watched.before.size() > 1)
            _world.count("turn taken before other servers");
        watched.before.clear();
    }
}

void TurnJudge::waits(std::uint64_t server, const std::string& name)
{
    Name& watched = _names[name];
    if (watched.waiters[server].count++ > 0)
        return;
    watched.waiters[server].since = _world.bootTime();
    watched.passedOver[server] = 0;
}

void TurnJudge::waitsNoMore(std::uint64_t server, const std::string& name)
{
    Name& watched = _names[name];
    auto& waiters = watched.waiters[server].count;
    if (waiters > 0 && --waiters == 0)
        watched.passedOver.erase(server);
}

void TurnJudge::told(std::uint64_t server, const std::string& name, Revision grant)
{
    Name& watched = _names[name];
    const auto turn = watched.turns.find(grant);
    if (turn != watched.turns.end() && _ids[server] != turn->second)
        broken("granted on another server's turn: " + name);
    for (auto& [other, grants] : watched.passedOver)
    {
        grants = other == server ? 0 : grants + 1;
        if (_calm && grants > 2 * _ids.size())
            broken("the waiters of a server are overtaken again and again: " + name);
    }
}

} // namespace octostore::simulation
