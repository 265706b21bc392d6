// SPDX-License-Identifier: MIT
/// @file
/// The rules of leases and queues a second time, as simple as they can be written: one name is one
/// struct, everything is searched for, nothing is in flight and nothing fails.
#pragma once

#include "Samples.h"
#include "coordination/Rules.h"

#include <octostore/coordination/Coordinator.h>

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace octostore::coordination::test
{

/// Commands take effect at once, ends of leases, delays and waits at their own instants. What only
/// the store or the key derivation knows (terms, tokens) it learns from the answers it checks.
class NaiveModel
{
public:
    explicit NaiveModel(const Limits& limits) : _limits(limits) {}

    /// The request arrives at `now`; passTo(now) was called.
    void submit(Ticket ticket, const std::string& name, const Command& command, Milliseconds wait,
                BootTime now);
    void abandon(Ticket ticket, BootTime now);
    /// Queues and receipts are forgotten.
    void restart();
    /// Does everything that is due until `now`, in the order of time.
    void passTo(BootTime now);
    std::optional<BootTime> nextEvent() const;

    /// Compares with the answers that are due since the last call; says what differs, or nothing.
    std::string check(const std::vector<std::pair<Ticket, Reply>>& replies);
    std::string check(const Status& status, BootTime now) const;
    std::string check(const Fence& fence, const std::string& name, Term asked) const;

    std::size_t leasesOf(PrincipalId principal) const;
    std::size_t liveRooms() const;
    /// Everybody who waits now.
    std::vector<Ticket> waiting() const;

private:
    /// What is learned of a grant.
    struct Grant
    {
        Term term;
        std::optional<LeaderToken> token;
    };

    struct Lease
    {
        std::shared_ptr<Grant> grant;
        HolderId holder;
        PrincipalId principal;
        std::string label;
        std::string key; ///< of the candidate
        LeaseId lease;   ///< nil: an election
        std::optional<std::string> metadata;
        BootTime deadline;
        Milliseconds delay{0};
        bool pristine = true; ///< answered for once only, and nothing decided since
    };

    struct Past
    {
        std::shared_ptr<Grant> grant;
        PrincipalId principal;
        LeaseId lease;
        event::Cause cause = event::Cause::None;
        BootTime at;
    };

    struct Place
    {
        Ticket ticket; ///< 0: absent
        std::string identity;
        Command command;
        BootTime arrived;
        BootTime until; ///< of the wait, or of keeping the place
        bool present() const { return ticket != Ticket(0); }
    };

    struct Name
    {
        std::optional<Lease> lease;
        std::optional<BootTime> coolingUntil;
        Milliseconds delay{0}; ///< of the cooling
        std::optional<Past> past;
        Term lastTerm; ///< learned
        std::list<Place> places;
    };

    /// What an answer must be.
    struct Expected
    {
        enum class Kind
        {
            Granted,
            Renewed,
            Held,
            Delayed,
            Ended,
            Refused
        };
        Ticket ticket;
        Kind kind = Kind::Refused;
        Name* name = nullptr;
        std::optional<Lease> lease; ///< as it must be shown
        bool fresh = false;
        Milliseconds waited{0};
        BootTime availableAt;
        Milliseconds delay{0};
        std::optional<std::pair<std::size_t, std::size_t>> position; ///< present, all in front
        std::shared_ptr<Grant> ended;                                ///< whose end is told
        event::Cause cause = event::Cause::None;
        bool maybeForgotten = false;
        std::vector<ErrorCode> codes;
    };

    void ask(Place place, Name& name, Milliseconds wait, BootTime now);
    void change(Ticket ticket, Name& name, const Command& command, BootTime now);
    /// Ends the lease that is there.
    void finish(Name& name, Expected told, event::Cause cause, BootTime now);
    /// Somebody shows what a lease is proved with: there is one, or there is none.
    void useLease(Name& name, Expected told, const Command& command, BootTime now);
    void tellEnd(const Name& name, Expected told, const Command& command, BootTime now);
    bool isOwn(const Lease& lease, const Command& command) const;
    bool isLimited(const Command& command) const;
    /// What whoever may not have the name is told; nothing: it may.
    std::optional<Expected> refusal(const Name& name, const Command& command) const;
    void again(Name& name, Ticket ticket, Milliseconds ttl, Milliseconds waited, BootTime now);
    void grant(Name& name, const Place& place, bool waited, BootTime now);
    void end(Name& name, event::Cause cause, BootTime at);
    void serve(Name& name, BootTime now);
    void waitOver(Name& name, std::list<Place>::iterator place);
    std::list<Place>::iterator placeOf(Name& name, Ticket ticket);
    void passName(Name& name, BootTime now);
    static std::optional<BootTime> nextOf(const Name& name);

    std::string compare(const Expected& expected, const Reply& reply);
    std::string compareGranted(const Expected& expected, const Granted& granted);
    std::string compareRefused(const Expected& expected, const Refused& refused) const;

    const Limits _limits;
    std::map<std::string, Name> _names;
    std::vector<Expected> _due;
};

} // namespace octostore::coordination::test
