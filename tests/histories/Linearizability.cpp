// SPDX-License-Identifier: MIT
#include "Linearizability.h"

#include "LeaseModel.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace octostore::test
{

namespace
{

/// Which operations from some place on have been put in order. As long as it must be: while one
/// client stands still the others may do any number of things. Its last one is always true.
using Done = std::vector<bool>;

bool isDone(const Done& done, std::size_t at)
{
    return at < done.size() && done[at];
}

Done with(Done done, std::size_t at)
{
    done.resize(std::max(done.size(), at + 1));
    done[at] = true;
    return done;
}

class Search
{
public:
    explicit Search(const History& history) : _history(history) {}

    /// Whether the rest can be put in order: everything before `first` is done, and of what follows
    /// what `done` says.
    bool orders(std::size_t first, Done done, const LeaseState& state)
    {
        const auto open = std::find(done.begin(), done.end(), false);
        first += static_cast<std::size_t>(open - done.begin());
        done.erase(done.begin(), open);
        _farthest = std::max(_farthest, first);
        if (first == _history.size())
            return true;
        if (!_seen.emplace(first, done, state).second)
            return false;
        const std::int64_t limit = firstReturn(first, done);
        for (std::size_t i = first; i < _history.size() && _history[i].invoked <= limit; ++i)
        {
            const std::size_t at = i - first;
            if (!isDone(done, at) && ordersWith(first, with(done, at), after(state, _history[i])))
                return true;
        }
        return false;
    }

    std::size_t farthest() const { return _farthest; }

private:
    bool ordersWith(std::size_t first, const Done& done, const std::vector<LeaseState>& states)
    {
        return std::any_of(states.begin(), states.end(),
                           [this, first, &done](const auto& state)
                           { return orders(first, done, state); });
    }

    /// Whatever is invoked later cannot come next.
    std::int64_t firstReturn(std::size_t first, const Done& done) const
    {
        std::int64_t limit = _history[first].returned;
        for (std::size_t i = first; i < _history.size() && _history[i].invoked <= limit; ++i)
        {
            if (!isDone(done, i - first))
                limit = std::min(limit, _history[i].returned);
        }
        return limit;
    }

    const History& _history;
    std::set<std::tuple<std::size_t, Done, LeaseState>> _seen;
    std::size_t _farthest = 0;
};

} // namespace

std::optional<std::string> refuse(History history)
{
    std::stable_sort(history.begin(), history.end(),
                     [](const Operation& a, const Operation& b) { return a.invoked < b.invoked; });
    Search search(history);
    if (search.orders(0, {}, LeaseState{}))
        return std::nullopt;
    std::string text = "no order gets past:\n";
    const std::size_t from = search.farthest() < 5 ? 0 : search.farthest() - 5;
    for (std::size_t i = from; i < std::min(history.size(), search.farthest() + 10); ++i)
        text += textOf(history[i]) + "\n";
    return text;
}

} // namespace octostore::test
