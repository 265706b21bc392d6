// SPDX-License-Identifier: MIT
/// @file
/// What a backend was asked and what it told, and whether a store fits that.
#pragma once

#include <octostore/backend/Backend.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace octostore::test
{

/// Everything a store gives when it is opened.
struct StoreContent
{
    std::map<backend::Key, backend::Record> records;
    std::vector<event::Event> journal;
};

/// Reads `backend`, which nobody has loaded yet.
Result<StoreContent> contentOf(backend::Backend& backend);

/// Every transaction follows from its number: it writes a lease and a text (or erases the text) of
/// one of a few names, and an event that carries the number. So the journal says which transactions
/// a store has, and doing them again must give exactly its records.
/// Thread-safety: thread-compatible.
class Ledger
{
public:
    static constexpr std::uint64_t names = 5;

    static backend::Key leaseKeyOf(std::uint64_t number);
    static backend::Key textKeyOf(std::uint64_t number);
    /// With conditions on what `known` has; `number` is its ID, too.
    static backend::Transaction transaction(std::uint64_t number,
                                            const std::map<backend::Key, backend::Record>& known);
    /// What a commit of it at `revision` makes of `records`.
    static void perform(std::uint64_t number, Revision revision,
                        std::map<backend::Key, backend::Record>& records);

    /// The next number; it counts as asked for.
    std::uint64_t ask();
    void asked(std::uint64_t number);
    void committed(std::uint64_t number, Revision revision);
    void refused(std::uint64_t number);
    /// Something else that must not happen.
    void complain(std::string text) { _complaints.push_back(std::move(text)); }

    /// Everything that is wrong: with what was told so far, and with `content` in the light of it.
    std::vector<std::string> violations(const StoreContent& content) const;
    /// Whoever was told nothing has what `content` says, once and for all.
    void settle(const StoreContent& content);

    std::uint64_t count(bool committed) const;
    /// Every line that asked(), committed() and refused() write from now on goes there.
    void echoTo(int descriptor) { _echo = descriptor; }
    /// Does what the whole lines of an echo say.
    void replay(const std::string& echo);

private:
    enum class State
    {
        Open,
        Committed,
        Refused,
    };
    struct Entry
    {
        State state = State::Open;
        Revision revision;
    };

    void note(char what, std::uint64_t number, std::uint64_t revision) const;
    void checkJournal(const std::vector<event::Event>& journal,
                      std::vector<std::string>& wrong) const;

    std::map<std::uint64_t, Entry> _entries;
    std::vector<std::string> _complaints;
    Revision _highest;
    int _echo = -1;
};

} // namespace octostore::test
