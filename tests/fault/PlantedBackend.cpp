// SPDX-License-Identifier: MIT
#include "PlantedBackend.h"

#include <variant>

namespace octostore::test
{

Result<Revision> PlantedBackend::load(const backend::RecordSink& sink) noexcept
{
    bool dropped = _planted != Planted::HalfThere;
    return _behind.load(
        [&sink, &dropped](backend::Record record)
        {
            if (std::exchange(dropped, true))
                sink(std::move(record));
        });
}

Result<void> PlantedBackend::start(backend::BackendListener& listener) noexcept
{
    _listener = &listener;
    return _behind.start(*this);
}

void PlantedBackend::commit(std::vector<backend::Transaction> batch) noexcept
{
    if (_planted != Planted::AcknowledgedTooSoon)
        return _behind.commit(std::move(batch));
    std::vector<backend::Outcome> invented;
    for (const backend::Transaction& transaction : batch)
        invented.push_back({transaction.id, backend::Committed{Revision(++_invented)}});
    _listener->outcomes(std::move(invented));
}

Result<std::vector<event::Event>> PlantedBackend::events(Sequence after, std::size_t limit) noexcept
{
    Result<std::vector<event::Event>> events = _behind.events(after, limit);
    if (!events || events->size() < 3)
        return events;
    if (_planted == Planted::EventSkipped)
        events->erase(events->begin() + 1);
    if (_planted == Planted::EventsOutOfOrder)
        std::swap((*events)[1], (*events)[2]);
    return events;
}

void PlantedBackend::outcomes(std::vector<backend::Outcome> batch) noexcept
{
    if (_planted == Planted::TermReused && batch.size() > 1)
        batch[1].result = batch[0].result;
    if (_planted == Planted::FailedAndThere && !batch.empty())
        batch[0].result = backend::Failed{{ErrorCode::Unavailable, "planted"}};
    _listener->outcomes(std::move(batch));
}

void PlantedBackend::records(backend::ReadId request,
                             Result<std::vector<backend::Record>> found) noexcept
{
    if (_planted == Planted::StaleAnswer && found)
    {
        for (backend::Record& record : *found)
            record = _firstRead.emplace(record.key, record).first->second;
    }
    _listener->records(request, std::move(found));
}

} // namespace octostore::test
