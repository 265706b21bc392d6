// SPDX-License-Identifier: MIT
/// @file
/// What sessions, access lists and limits allow, written down a second time and naively: judged on
/// nothing but the records of the store.
#pragma once

#include "EngineHarness.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace octostore::coordination::test
{

/// Somebody who asked and was not answered.
struct Asked
{
    std::string name;
    Operation operation;
    Milliseconds wait{0};
    BootTime at;
    std::size_t troubles = 0; ///< there had been when it was submitted
    bool abandoned = false;
};

/// Judges every transaction when the engine asks for it and when it is committed, and every answer
/// when it is given. What is not allowed fails the test.
class SessionJudge
{
public:
    using Asking = std::map<Ticket, Asked>;
    using Transactions = std::vector<const backend::Transaction*>;

    SessionJudge(const CheckedStore& store, const Asking& asking, const Limits& limits)
        : _store(store), _asking(asking), _limits(limits)
    {
    }

    /// The engine started on the store; with another clock all deadlines start again.
    void restarted(const std::string& clock, Now now);
    void trouble(BootTime now);
    std::size_t troubles() const { return _troubles; }

    /// The engine asks for `transaction`; `others` are in flight already.
    void decided(const backend::Transaction& transaction, const Transactions& others, Now now);
    /// It is about to be committed.
    void committing(const backend::Transaction& transaction) const;
    void committed(const backend::Transaction& transaction);
    void answered(const Asked& asked, const Reply& reply, const Transactions& inFlight,
                  Now now) const;
    /// Nothing is in flight and nothing is due: nobody waits in vain, nothing is unrecorded.
    void settled(BootTime now) const;

private:
    struct End
    {
        BootTime at;
        event::Cause cause;
    };
    using Names = std::vector<std::string>;

    // The naive rules.
    BootTime at(const backend::Deadline& deadline, Milliseconds ttl) const;
    const backend::SessionRecord* session(SessionId id) const;
    bool sessionLive(SessionId id, BootTime now) const;
    bool live(const backend::LeaseRecord* lease, BootTime now) const;
    BootTime endOf(const backend::LeaseRecord& lease) const;
    const Names* acl(const std::string& name) const;
    static bool admits(const Names* list, const Acquire& acquire);
    std::size_t leasesOf(PrincipalId principal, const Transactions& inFlight) const;
    std::size_t sessionsOf(PrincipalId principal, const Transactions& inFlight) const;
    std::optional<event::Cause> causeOf(SessionId id) const;

    template <class Command, class Fits>
    bool somebodyAsks(const std::string& name, Fits fits) const;
    void judgeLease(const backend::Transaction& transaction, const std::string& name,
                    const backend::LeaseRecord& after, const Transactions& others, Now now) const;
    void judgeGrant(const backend::Transaction& transaction, const std::string& name,
                    const backend::LeaseRecord* before, const backend::LeaseRecord& after,
                    const Transactions& others, Now now) const;
    void judgeExtension(const std::string& name, const backend::LeaseRecord& before,
                        const backend::LeaseRecord& after, Now now) const;
    void judgeEnd(const std::string& name, const backend::LeaseRecord& before, event::Cause cause,
                  BootTime now) const;
    void judgeAcl(const std::string& name, const Names* after, BootTime now) const;
    void judgeSession(SessionId id, const backend::SessionRecord& after, const Transactions& others,
                      BootTime now) const;
    void judgeSessionEnd(SessionId id, event::Cause cause, BootTime now) const;

    void answeredAcquire(const Asked& asked, const Acquire& acquire, const Reply& reply,
                         const Transactions& inFlight, BootTime now) const;
    void answeredHolder(const Asked& asked, const LockCredential& shown, const Reply& reply,
                        BootTime now) const;
    void answeredAcl(const Asked& asked, const ChangeAcl& change, const Reply& reply,
                     BootTime now) const;
    void answeredSession(const SessionCommand& command, const Reply& reply,
                         const Transactions& inFlight, BootTime now) const;
    void answeredQuery(const Asked& asked, const Query& query, const Reply& reply,
                       BootTime now) const;
    void mayBeUnavailable(const Asked& asked, const Refused& refused, BootTime now) const;

    const CheckedStore& _store;
    const Asking& _asking;
    const Limits& _limits;
    std::string _clock;
    BootTime _recoveredAt;
    BootTime _startedAt;
    std::size_t _troubles = 0;
    BootTime _lastTrouble = BootTime::min();
    std::map<SessionId, End> _ending; ///< in flight
    std::map<SessionId, End> _ended;
};

} // namespace octostore::coordination::test
