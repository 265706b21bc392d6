// SPDX-License-Identifier: MIT
/// @file
/// Sums over names, with what is in flight counted in.
#pragma once

#include "coordination/Rules.h"

#include <cstddef>
#include <unordered_map>

namespace octostore::coordination
{

/// Thread-safety: thread-compatible.
class Ledger
{
public:
    /// A lease is granted: the grant goes into flight, or a record is restored.
    void granted(const backend::LeaseRecord& lease)
    {
        if (lease.kind == backend::LeaseKind::Election)
            ++_rooms;
        else
        {
            ++_locks;
            ++_ofPrincipal[lease.principal];
        }
    }
    /// A lease ended, or its grant failed.
    void ended(const backend::LeaseRecord& lease)
    {
        if (lease.kind == backend::LeaseKind::Election)
            --_rooms;
        else
        {
            --_locks;
            const auto entry = _ofPrincipal.find(lease.principal);
            OCTOSTORE_ASSERT(entry != _ofPrincipal.end());
            if (--entry->second == 0)
                _ofPrincipal.erase(entry);
        }
    }
    std::size_t locks() const noexcept { return _locks; }
    std::size_t rooms() const noexcept { return _rooms; }
    std::size_t ofPrincipal(PrincipalId principal) const
    {
        const auto entry = _ofPrincipal.find(principal);
        return entry == _ofPrincipal.end() ? 0 : entry->second;
    }

private:
    std::size_t _locks = 0;
    std::size_t _rooms = 0;
    std::unordered_map<PrincipalId, std::size_t> _ofPrincipal;
};

} // namespace octostore::coordination
