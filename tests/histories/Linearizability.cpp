// SPDX-License-Identifier: MIT
#include "Linearizability.h"

#include "LeaseModel.h"

#include <octostore/base/Assert.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace octostore::test
{

namespace
{

constexpr std::size_t windowMax = 64;

class Search
{
public:
    explicit Search(const History& history) : _history(history) {}

    /// Whether the rest can be put in order: everything before `first` is done, and of what follows
    /// those whose bit is set in `done`.
    bool orders(std::size_t first, std::uint64_t done, const LeaseState& state)
    {
        while ((done & 1U) != 0)
        {
            done >>= 1U;
            ++first;
        }
        _farthest = std::max(_farthest, first);
        if (first == _history.size())
            return true;
        if (!_seen.emplace(first, done, state).second)
            return false;
        const std::int64_t limit = firstReturn(first, done);
        for (std::size_t i = first; i < _history.size() && _history[i].invoked <= limit; ++i)
        {
            OCTOSTORE_ASSERT(i - first < windowMax);
            const std::uint64_t bit = std::uint64_t{1} << (i - first);
            if ((done & bit) == 0 && ordersWith(first, done | bit, after(state, _history[i])))
                return true;
        }
        return false;
    }

    std::size_t farthest() const { return _farthest; }

private:
    bool ordersWith(std::size_t first, std::uint64_t done, const std::vector<LeaseState>& states)
    {
        return std::any_of(states.begin(), states.end(),
                           [this, first, done](const auto& state)
                           { return orders(first, done, state); });
    }

    /// Whatever is invoked later cannot come next.
    std::int64_t firstReturn(std::size_t first, std::uint64_t done) const
    {
        std::int64_t limit = _history[first].returned;
        for (std::size_t i = first; i < _history.size() && _history[i].invoked <= limit; ++i)
        {
            if (i - first >= windowMax || ((done >> (i - first)) & 1U) == 0)
                limit = std::min(limit, _history[i].returned);
        }
        return limit;
    }

    const History& _history;
    std::set<std::tuple<std::size_t, std::uint64_t, LeaseState>> _seen;
    std::size_t _farthest = 0;
};

} // namespace

std::optional<std::string> refuse(History history)
{
    std::stable_sort(history.begin(), history.end(),
                     [](const Operation& a, const Operation& b) { return a.invoked < b.invoked; });
    Search search(history);
    if (search.orders(0, 0, LeaseState{}))
        return std::nullopt;
    std::string text = "no order gets past:\n";
    const std::size_t from = search.farthest() < 5 ? 0 : search.farthest() - 5;
    for (std::size_t i = from; i < std::min(history.size(), search.farthest() + 10); ++i)
        text += textOf(history[i]) + "\n";
    return text;
}

} // namespace octostore::test
