// SPDX-License-Identifier: MIT
/// @file
/// Whether answers are what the naive model says they must be.
#include "NaiveModel.h"

#include <algorithm>
#include <sstream>

namespace octostore::coordination::test
{

namespace
{

/// "what: 3 instead of 4", or nothing.
template <class T>
std::string differs(const char* what, const T& actual, const T& expected)
{
    if (actual == expected)
        return {};
    std::ostringstream text;
    text << what << ' ' << ::testing::PrintToString(actual) << " instead of "
         << ::testing::PrintToString(expected);
    return text.str();
}

std::string first(std::initializer_list<std::string> texts)
{
    for (const std::string& text : texts)
        if (!text.empty())
            return text;
    return {};
}

std::int64_t ns(BootTime instant)
{
    return instant.time_since_epoch().count();
}

std::string checkPosition(const std::optional<std::pair<std::size_t, std::size_t>>& expected,
                          std::optional<std::size_t> actual)
{
    if (expected.has_value() != actual.has_value())
        return actual ? "a position nobody asked for" : "no position";
    // Whether kept places of absent waiters count as in front is left open.
    if (actual && (*actual < expected->first || *actual > expected->second))
        return "position " + std::to_string(*actual);
    return {};
}

} // namespace

std::string NaiveModel::check(const std::vector<std::pair<Ticket, Reply>>& replies)
{
    std::map<Ticket, Reply> actual(replies.begin(), replies.end());
    const std::vector<Expected> due = std::exchange(_due, {});
    for (const Expected& expected : due)
    {
        const std::string ticket = "ticket " + std::to_string(expected.ticket.value()) + ": ";
        const auto reply = actual.find(expected.ticket);
        if (reply == actual.end())
            return ticket + "no answer, expected kind " +
                   std::to_string(static_cast<int>(expected.kind));
        const std::string text = compare(expected, reply->second);
        if (!text.empty())
            return ticket + text;
        actual.erase(reply);
    }
    if (!actual.empty())
        return "ticket " + std::to_string(actual.begin()->first.value()) +
               ": an answer too early, alternative " +
               std::to_string(actual.begin()->second.index()) + " of Reply";
    return {};
}

std::string NaiveModel::compare(const Expected& expected, const Reply& reply)
{
    using Kind = Expected::Kind;
    if (const auto* granted = std::get_if<Granted>(&reply);
        granted && expected.kind == Kind::Granted)
        return compareGranted(expected, *granted);
    if (const auto* renewed = std::get_if<Renewed>(&reply);
        renewed && expected.kind == Kind::Renewed)
        return first(
            {differs("deadline", ns(renewed->lease.deadline), ns(expected.lease->deadline)),
             differs("term", renewed->lease.term, expected.lease->grant->term),
             differs("metadata", renewed->lease.metadata, expected.lease->metadata)});
    if (const auto* held = std::get_if<Held>(&reply); held && expected.kind == Kind::Held)
        return first({differs("term", held->lease.term, expected.lease->grant->term),
                      differs("deadline", ns(held->lease.deadline), ns(expected.lease->deadline)),
                      differs("label", held->lease.label, expected.lease->label),
                      differs("metadata", held->lease.metadata, expected.lease->metadata),
                      differs("secret", held->lease.lease, LeaseId{}),
                      checkPosition(expected.position, held->queuePosition)});
    if (const auto* delayed = std::get_if<Delayed>(&reply);
        delayed && expected.kind == Kind::Delayed)
        return first({differs("available", ns(delayed->availableAt), ns(expected.availableAt)),
                      differs("delay", delayed->lockDelay.count(), expected.delay.count()),
                      checkPosition(expected.position, delayed->queuePosition)});
    if (const auto* ended = std::get_if<Ended>(&reply); ended && expected.kind == Kind::Ended)
        return differs("term", ended->term, expected.ended->term);
    if (const auto* refused = std::get_if<Refused>(&reply);
        refused && expected.kind == Kind::Refused)
        return compareRefused(expected, *refused);
    const auto* refused = std::get_if<Refused>(&reply);
    return "alternative " + std::to_string(reply.index()) + " of Reply instead of kind " +
           std::to_string(static_cast<int>(expected.kind)) +
           (refused ? ": " + refused->error.message : "");
}

std::string NaiveModel::compareGranted(const Expected& expected, const Granted& granted)
{
    Grant& grant = *expected.lease->grant;
    if (expected.fresh)
    {
        if (granted.lease.term <= expected.name->lastTerm)
            return "the term did not grow";
        grant.term = expected.name->lastTerm = granted.lease.term;
        grant.token = granted.token;
    }
    return first({differs("fresh", granted.fresh, expected.fresh),
                  differs("term", granted.lease.term, grant.term),
                  differs("token", granted.token, grant.token),
                  differs("lease", granted.lease.lease, expected.lease->lease),
                  differs("label", granted.lease.label, expected.lease->label),
                  differs("metadata", granted.lease.metadata, expected.lease->metadata),
                  differs("deadline", ns(granted.lease.deadline), ns(expected.lease->deadline)),
                  differs("waited", granted.waited.count(), expected.waited.count()),
                  expected.lease->lease.isNil() == granted.token.has_value()
                      ? ""
                      : "a token for a lock, or none for a room"});
}

std::string NaiveModel::compareRefused(const Expected& expected, const Refused& refused) const
{
    if (std::find(expected.codes.begin(), expected.codes.end(), refused.error.code) ==
        expected.codes.end())
        return "refused differently: " + refused.error.message;
    if (!expected.ended)
        return refused.ended ? "an end told to a stranger" : "";
    if (!refused.ended)
        return expected.maybeForgotten ? "" : "not told how its lease ended";
    return first({differs("ended term", refused.ended->term, expected.ended->term),
                  differs("cause", static_cast<int>(refused.ended->cause),
                          static_cast<int>(expected.cause))});
}

std::string NaiveModel::check(const Status& status, BootTime now) const
{
    const auto found = _names.find(status.name);
    if (found == _names.end())
        return status.lease ? "a lease nobody acquired" : "";
    const Name& name = found->second;
    if (status.lease.has_value() != name.lease.has_value())
        return status.lease ? "a lease that is over" : "no lease";
    const auto waiting =
        static_cast<std::size_t>(std::count_if(name.places.begin(), name.places.end(),
                                               [](const Place& place) { return place.present(); }));
    if (name.lease)
        return first({differs("term", status.lease->term, name.lease->grant->term),
                      differs("deadline", ns(status.lease->deadline), ns(name.lease->deadline)),
                      differs("last term", status.lastTerm, name.lease->grant->term),
                      differs("secret", status.lease->lease, LeaseId{}),
                      differs("waiters", status.waiters, waiting)});
    if (status.availableAt.has_value() != name.coolingUntil.has_value())
        return status.availableAt ? "a delay that is over" : "no delay";
    if (!name.past)
        return first({differs("last term", status.lastTerm, Term(0)),
                      differs("waiters", status.waiters, waiting)});
    // A cooling name is remembered a little longer.
    const bool forgotten = now >= name.past->at + rememberedFor + std::chrono::seconds(31);
    const bool remembered = now < name.past->at + rememberedFor;
    if (!forgotten && !remembered)
        return {};
    return first(
        {differs("last term", status.lastTerm, remembered ? name.past->grant->term : Term(0)),
         differs("waiters", status.waiters, waiting)});
}

std::string NaiveModel::check(const Fence& fence, const std::string& name, Term asked) const
{
    const auto found = _names.find(name);
    const bool live = found != _names.end() && found->second.lease;
    const std::optional<Term> term =
        live ? std::optional(found->second.lease->grant->term) : std::nullopt;
    return first({differs("live term", fence.live, term),
                  differs("current", fence.current, live && term == asked)});
}

} // namespace octostore::coordination::test
