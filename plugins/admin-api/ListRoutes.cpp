// SPDX-License-Identifier: MIT
#include "ListRoutes.h"

#include "Lists.h"
#include "Page.h"
#include "ReaderRoute.h"

#include <octostore/base/Json.h>
#include <octostore/coordination/Name.h>

#include <memory>
#include <utility>

namespace octostore::admin_api
{

namespace
{

using http::ExchangePtr;

/// The list query, or nothing when the caller has been told what is wrong.
std::optional<ListQuery> readQuery(const ExchangePtr& exchange,
                                   std::initializer_list<std::string_view> sorts)
{
    const auto query = http::Query::parse(exchange->request().query());
    Result<ListQuery> list = query ? ListQuery::read(*query, sorts) : query.error();
    if (list)
        return *std::move(list);
    exchange->respond(list.error());
    return std::nullopt;
}

/// Exactly one of `name` (a lock, or a lease record's name) and `election`.
Result<std::string> subjectOf(const http::Query& query)
{
    const std::string* name = query.find("name");
    const std::string* room = query.find("election");
    if ((name == nullptr) == (room == nullptr))
        return Error{ErrorCode::InvalidInput, "Give `name` or `election`."};
    if (room == nullptr)
    {
        if (auto good = coordination::checkLockName(*name); !good)
            return good.error();
        return *name;
    }
    if (auto good = coordination::checkRoomId(*room); !good)
        return good.error();
    return coordination::leaseNameOfRoom(*room);
}

struct QueueQuestion
{
    std::string name;
    coordination::GetQueue get;
};

Result<QueueQuestion> queueQuestion(const http::Request& request)
{
    const auto query = http::Query::parse(request.query());
    if (!query)
        return query.error();
    const Result<std::string> name = subjectOf(*query);
    if (!name)
        return name.error();
    const auto limit = query->integer("limit", 1, coordination::queuePlacesMax);
    if (!limit)
        return limit.error();
    const auto after = query->integer("after", 0, INT32_MAX);
    if (!after)
        return after.error();
    QueueQuestion question{*name, {}};
    question.get.limit = limit->value_or(50);
    if (*after)
        question.get.skip = **after + 1;
    return question;
}

std::size_t itemsOf(const coordination::NameSurvey& survey)
{
    return survey.names.size();
}
std::size_t itemsOf(const coordination::SessionSurvey& survey)
{
    return survey.sessions.size();
}

http::Response queueAnswer(const coordination::QueueView& queue, bool room,
                           const std::string* known)
{
    JsonWriter json;
    json.beginObject().key("items").beginArray();
    std::size_t last = 0;
    for (const coordination::QueuePlace& place : queue.places)
    {
        last = place.position;
        json.beginObject()
            .field("position", std::uint64_t{place.position})
            .field("label", place.label)
            .field("kind", room ? "election" : "lock")
            .field("present", place.present)
            .field("since", toRfc3339(place.since))
            .field("until", toRfc3339(place.until));
        optionalField(json, "session_id", place.session.isNil() ? "" : place.session.toString());
        json.endObject();
    }
    const bool more = !queue.places.empty() && last + 1 < queue.total;
    json.endArray()
        .field("total", std::uint64_t{queue.total})
        .field("next", more ? std::optional(std::to_string(last)) : std::nullopt)
        .endObject();
    std::string text = json.take();
    const std::string compared = text;
    return taggedAnswer(std::move(text), compared, known);
}

} // namespace

std::vector<http::Route> ListRoutes::routes() const
{
    const auto get = [this](const char* pattern, auto handler)
    { return readerRoute(*this, pattern, handler); };
    return {
        get("/admin/locks", &ListRoutes::locks), get("/admin/elections", &ListRoutes::elections),
        get("/admin/sessions", &ListRoutes::sessions),
        get("/admin/accounts", &ListRoutes::accounts), get("/admin/queues", &ListRoutes::queue)};
}

void ListRoutes::locks(const ExchangePtr& exchange) const
{
    if (const auto query = readQuery(
            exchange, {"name", "holder", "expires_at", "acquired_at", "waiters", "fencing_token"}))
        list<coordination::NameSurvey>(
            exchange, coordination::SurveyNames{backend::LeaseKind::Lock}, *query, lockPage);
}

void ListRoutes::elections(const ExchangePtr& exchange) const
{
    if (const auto query = readQuery(
            exchange, {"election_id", "candidate_id", "expires_at", "since", "candidates", "term"}))
        list<coordination::NameSurvey>(exchange,
                                       coordination::SurveyNames{backend::LeaseKind::Election},
                                       *query, electionPage);
}

void ListRoutes::sessions(const ExchangePtr& exchange) const
{
    if (const auto query = readQuery(exchange, {"id", "account", "expires_at", "lock_count"}))
        list<coordination::SessionSurvey>(exchange, coordination::SurveySessions{}, *query,
                                          sessionPage);
}

void ListRoutes::accounts(const ExchangePtr& exchange) const
{
    const auto query = readQuery(exchange, {"name", "created_at"});
    if (!query)
        return;
    _surveys.enter(
        exchange,
        [this, exchange, query](const Surveys::TurnPtr& turn)
        {
            const auto all =
                std::make_shared<const std::vector<http::Account>>(allAccounts(_around.registry));
            const Reader reader = readerOf(*exchange);
            _surveys.render(turn, all->size(),
                            [all, query, reader] { return accountPage(*all, *query, reader); });
        });
}

void ListRoutes::queue(const ExchangePtr& exchange) const
{
    Result<QueueQuestion> question = queueQuestion(exchange->request());
    if (!question)
        return exchange->respond(question.error());
    const bool room = !coordination::roomOfLeaseName(question->name).empty();
    ask(_around, exchange, requestOf(*exchange, question->name, coordination::Query(question->get)),
        [exchange, room](const coordination::Reply& reply)
        {
            const auto* queue = std::get_if<coordination::QueueView>(&reply);
            if (queue == nullptr)
                return exchange->respond(Error{ErrorCode::Internal, "not the queue asked for"});
            exchange->respond(
                queueAnswer(*queue, room, exchange->request().headers.find("if-none-match")));
        });
}

/// The exchange keeps what the reader points to.
Reader ListRoutes::readerOf(const http::Exchange& exchange) const
{
    return {_around.clock.bootTime(), exchange.request().headers.find("if-none-match")};
}

template <class Survey, class Render>
void ListRoutes::list(const ExchangePtr& exchange, coordination::Query query, const ListQuery& list,
                      Render page) const
{
    const auto paged =
        [this, exchange, list, page](const Surveys::TurnPtr& turn, coordination::Reply reply)
    {
        auto* found = std::get_if<Survey>(&reply);
        if (found == nullptr)
            return exchange->respond(Error{ErrorCode::Internal, "not the list asked for"});
        const auto survey = std::make_shared<const Survey>(std::move(*found));
        const Reader reader = readerOf(*exchange);
        _surveys.render(turn, itemsOf(*survey),
                        [survey, list, page, reader] { return page(*survey, list, reader); });
    };
    _surveys.enter(exchange,
                   [this, query, paged](const Surveys::TurnPtr& turn)
                   {
                       _surveys.ask(turn, query,
                                    [turn, paged](coordination::Reply reply)
                                    { paged(turn, std::move(reply)); });
                   });
}

} // namespace octostore::admin_api
