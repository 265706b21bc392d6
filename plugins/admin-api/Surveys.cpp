// SPDX-License-Identifier: MIT
#include "Surveys.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

namespace octostore::admin_api
{

namespace
{

using http::ExchangePtr;

/// One is copied by the engine while another one is sorted.
constexpr std::size_t turnsMax = 2;
constexpr std::size_t waitingMax = 32;
/// What an I/O thread sorts itself: about a millisecond.
constexpr std::size_t itemsHere = 2'000;

} // namespace

/// Who has a turn and who waits for one. Thread-safety: thread-safe.
class Surveys::Line
{
public:
    enum class Place
    {
        Begins,
        Waits,
        None,
    };
    Place enter(const TurnPtr& turn) OCTOSTORE_EXCLUDES(_mutex);
    /// It is not waited for any more.
    void leave(const Turn* turn) OCTOSTORE_EXCLUDES(_mutex);
    /// A turn is over: the next one's.
    void next() OCTOSTORE_EXCLUDES(_mutex);
    std::deque<TurnPtr> stop() OCTOSTORE_EXCLUDES(_mutex);

private:
    Mutex _mutex;
    std::size_t _turns OCTOSTORE_GUARDED_BY(_mutex) = 0;
    std::deque<TurnPtr> _waiting OCTOSTORE_GUARDED_BY(_mutex);
    bool _stopped OCTOSTORE_GUARDED_BY(_mutex) = false;
};

class Surveys::Turn
{
public:
    Turn(ExchangePtr asking, std::shared_ptr<Line> in)
        : exchange(std::move(asking)), executor(exchange->executor()), line(std::move(in))
    {
    }
    ~Turn()
    {
        if (begun)
            line->next();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    const ExchangePtr exchange;
    const std::shared_ptr<Executor> executor;
    const std::shared_ptr<Line> line;
    std::function<void(const TurnPtr&)> begin; ///< what is done once it waits no longer
    bool begun = false;
    std::atomic<bool> abandoned{false};
    std::optional<coordination::Ticket> ticket; ///< what the engine was asked last
};

Surveys::Line::Place Surveys::Line::enter(const TurnPtr& turn)
{
    MutexLock lock(_mutex);
    if (_stopped || (_turns == turnsMax && _waiting.size() == waitingMax))
        return Place::None;
    if (_turns == turnsMax)
    {
        _waiting.push_back(turn);
        return Place::Waits;
    }
    ++_turns;
    turn->begun = true;
    return Place::Begins;
}

void Surveys::Line::leave(const Turn* turn)
{
    TurnPtr left; // goes when the mutex is free
    MutexLock lock(_mutex);
    const auto found = std::find_if(_waiting.begin(), _waiting.end(),
                                    [turn](const TurnPtr& one) { return one.get() == turn; });
    if (found == _waiting.end())
        return;
    left = std::move(*found);
    _waiting.erase(found);
}

void Surveys::Line::next()
{
    TurnPtr turn;
    {
        MutexLock lock(_mutex);
        if (_waiting.empty())
        {
            --_turns;
            return;
        }
        turn = std::move(_waiting.front());
        _waiting.pop_front();
        turn->begun = true;
    }
    turn->executor->post({[turn]
                          {
                              if (const auto begin = std::exchange(turn->begin, nullptr);
                                  begin && !turn->abandoned)
                                  begin(turn);
                          }});
}

std::deque<Surveys::TurnPtr> Surveys::Line::stop()
{
    MutexLock lock(_mutex);
    _stopped = true;
    return std::exchange(_waiting, {});
}

Surveys::Surveys(const Surroundings& around) : _around(around), _line(std::make_shared<Line>()) {}

void Surveys::enter(const ExchangePtr& exchange, std::function<void(const TurnPtr&)> begin) const
{
    const auto turn = std::make_shared<Turn>(exchange, _line);
    turn->begin = std::move(begin);
    const Line::Place place = _line->enter(turn);
    if (place == Line::Place::None)
        return exchange->respond(
            Error{ErrorCode::Overloaded, "Too many lists are being read; ask again."});
    exchange->onAbandoned(
        [watched = std::weak_ptr<Turn>(turn), &coordinator = _around.coordinator]
        {
            const TurnPtr left = watched.lock();
            if (!left)
                return;
            left->abandoned = true;
            left->line->leave(left.get());
            if (left->ticket)
                coordinator.abandon(*left->ticket);
        });
    if (place == Line::Place::Begins && !turn->abandoned)
        std::exchange(turn->begin, nullptr)(turn);
}

void Surveys::ask(const TurnPtr& turn, coordination::Query query,
                  std::function<void(coordination::Reply)> done) const
{
    turn->ticket =
        admin_api::ask(_around, turn->exchange, requestOf(*turn->exchange, "", std::move(query)),
                       [turn, done = std::move(done)](coordination::Reply reply)
                       {
                           turn->ticket.reset();
                           if (!turn->abandoned)
                               done(std::move(reply));
                       });
}

void Surveys::render(const TurnPtr& turn, std::size_t items,
                     std::function<http::Response()> render) const
{
    if (items <= itemsHere)
        return turn->exchange->respond(render());
    // No more tasks than turns: that is the bound of the thread's queue.
    _around.lists.post({[turn, render = std::move(render)]
                        {
                            if (turn->abandoned)
                                return;
                            const auto response = std::make_shared<http::Response>(render());
                            turn->executor->post({[turn, response] {
                                turn->exchange->respond(std::move(*response));
                            }});
                        }});
}

void Surveys::stop()
{
    for (const TurnPtr& turn : _line->stop())
        turn->executor->post({[turn]
                              {
                                  turn->begin = nullptr;
                                  turn->exchange->respond(Error{
                                      ErrorCode::Draining, "The server is stopping; ask again."});
                              }});
}

} // namespace octostore::admin_api
