// SPDX-License-Identifier: MIT
#include "Ledger.h"

#include <octostore/backend/Codec.h>

#include <algorithm>
#include <sstream>

#include <conformance/backend/Samples.h>
#include <unistd.h>

namespace octostore::test
{

namespace
{

bool erasesText(std::uint64_t number)
{
    return number % 4 == 3;
}

std::string textOf(std::uint64_t number)
{
    // Long enough that a batch takes several pages.
    return "t" + std::to_string(number) + std::string(600, '.');
}

std::vector<backend::Put> putsOf(std::uint64_t number)
{
    std::vector<backend::Put> puts;
    puts.push_back(
        {Ledger::leaseKeyOf(number), sampleLease(static_cast<std::uint8_t>(1 + number % 250))});
    if (!erasesText(number))
        puts.push_back({Ledger::textKeyOf(number), metaValue(textOf(number))});
    return puts;
}

/// Of the transaction that wrote the event; 0: none did.
std::uint64_t numberOf(const event::Event& event)
{
    return std::strtoull(event.what.name.c_str(), nullptr, 10);
}

} // namespace

Result<StoreContent> contentOf(backend::Backend& backend)
{
    StoreContent content;
    const Result<Revision> loaded = backend.load(
        [&content](backend::Record record)
        {
            const backend::Key key = record.key;
            content.records.emplace(key, std::move(record));
        });
    if (!loaded)
        return loaded.error();
    Result<std::vector<event::Event>> journal = backend.events(Sequence{}, 1'000'000);
    if (!journal)
        return journal.error();
    content.journal = *std::move(journal);
    return content;
}

backend::Key Ledger::leaseKeyOf(std::uint64_t number)
{
    return leaseKey("n" + std::to_string(number % names));
}

backend::Key Ledger::textKeyOf(std::uint64_t number)
{
    return metaKey("text" + std::to_string(number % names));
}

backend::Transaction Ledger::transaction(std::uint64_t number,
                                         const std::map<backend::Key, backend::Record>& known)
{
    Draft draft;
    for (const backend::Key& key : {leaseKeyOf(number), textKeyOf(number)})
    {
        const auto found = known.find(key);
        draft.when(found == known.end() ? absent(key) : atVersion(key, found->second.version));
    }
    for (backend::Put& put : putsOf(number))
        draft.put(put.key, put.value);
    if (erasesText(number))
        draft.erase(textKeyOf(number));
    draft.event(sampleEvent(std::to_string(number)));
    backend::Transaction transaction = draft;
    transaction.id = backend::TransactionId(number);
    return transaction;
}

void Ledger::perform(std::uint64_t number, Revision revision,
                     std::map<backend::Key, backend::Record>& records)
{
    for (backend::Put& put : putsOf(number))
    {
        backend::stamp(put.value, revision);
        records[put.key] = {put.key, put.value, revision};
    }
    if (erasesText(number))
        records.erase(textKeyOf(number));
}

std::uint64_t Ledger::ask()
{
    const std::uint64_t number = _entries.empty() ? 1 : _entries.rbegin()->first + 1;
    asked(number);
    return number;
}

void Ledger::asked(std::uint64_t number)
{
    _entries[number];
    note('a', number, 0);
}

void Ledger::committed(std::uint64_t number, Revision revision)
{
    if (revision <= _highest)
        complain("revision " + std::to_string(revision.value()) + " came after " +
                 std::to_string(_highest.value()));
    _highest = std::max(_highest, revision);
    _entries[number] = {State::Committed, revision};
    note('c', number, revision.value());
}

void Ledger::refused(std::uint64_t number)
{
    _entries[number].state = State::Refused;
    note('r', number, 0);
}

void Ledger::note(char what, std::uint64_t number, std::uint64_t revision) const
{
    if (_echo < 0)
        return;
    // One write a line, at once: what is written has been told.
    const std::string line =
        std::string(1, what) + ' ' + std::to_string(number) + ' ' + std::to_string(revision) + '\n';
    static_cast<void>(::write(_echo, line.data(), line.size()) > 0);
}

void Ledger::replay(const std::string& echo)
{
    std::istringstream lines(echo.substr(0, echo.rfind('\n') + 1));
    char what = 0;
    std::uint64_t number = 0;
    std::uint64_t revision = 0;
    while (lines >> what >> number >> revision)
    {
        if (what == 'a')
            asked(number);
        else if (what == 'c')
            committed(number, Revision(revision));
        else
            refused(number);
    }
}

void Ledger::checkJournal(const std::vector<event::Event>& journal,
                          std::vector<std::string>& wrong) const
{
    std::map<std::uint64_t, Sequence> found;
    Sequence last;
    for (const event::Event& event : journal)
    {
        if (event.sequence <= last)
            wrong.push_back("event " + std::to_string(event.sequence.value()) + " is out of order");
        last = event.sequence;
        const auto entry = _entries.find(numberOf(event));
        if (entry == _entries.end())
            wrong.push_back("nobody asked for " + event.what.name);
        else if (entry->second.state == State::Refused)
            wrong.push_back(event.what.name + " was refused and is there");
        if (!found.emplace(numberOf(event), event.sequence).second)
            wrong.push_back(event.what.name + " happened twice");
    }
    for (const auto& [number, entry] : _entries)
    {
        const auto event = found.find(number);
        if (entry.state != State::Committed)
            continue;
        if (event == found.end())
            wrong.push_back(std::to_string(number) + " was committed and is not there");
        else if (event->second.value() != entry.revision.value())
            wrong.push_back(std::to_string(number) + " has another revision than it was told");
    }
}

std::vector<std::string> Ledger::violations(const StoreContent& content) const
{
    std::vector<std::string> wrong = _complaints;
    checkJournal(content.journal, wrong);
    std::map<backend::Key, backend::Record> records;
    for (const event::Event& event : content.journal)
        perform(numberOf(event), Revision(event.sequence.value()), records);
    if (records != content.records)
        wrong.emplace_back("the records are not what the journal makes of them");
    return wrong;
}

void Ledger::settle(const StoreContent& content)
{
    for (const event::Event& event : content.journal)
    {
        Entry& entry = _entries[numberOf(event)];
        if (entry.state == State::Open)
            entry = {State::Committed, Revision(event.sequence.value())};
        _highest = std::max(_highest, Revision(event.sequence.value()));
    }
    for (auto& [number, entry] : _entries)
    {
        if (entry.state == State::Open)
            entry.state = State::Refused;
    }
}

std::uint64_t Ledger::count(bool committed) const
{
    return static_cast<std::uint64_t>(
        std::count_if(_entries.begin(), _entries.end(),
                      [committed](const auto& entry)
                      { return (entry.second.state == State::Committed) == committed; }));
}

} // namespace octostore::test
