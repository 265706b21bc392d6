// SPDX-License-Identifier: MIT
/// @file
/// Works with a backend and keeps a ledger of what it tells.
#pragma once

#include "Ledger.h"

#include <map>
#include <vector>

#include <conformance/backend/RecordingListener.h>

namespace octostore::test
{

/// Thread-safety: thread-compatible.
class Workload
{
public:
    /// `backend` is loaded, started and reports to `listener`; `known` is what it loaded. All but
    /// `known` must outlive the workload.
    Workload(backend::Backend& backend, RecordingListener& listener, Ledger& ledger,
             std::map<backend::Key, backend::Record> known);

    /// One transaction for each name, then a look at what they left. Returns how many were
    /// committed.
    std::size_t runBatch();
    /// As runBatch(), but nobody waits for the outcomes: stop() brings them.
    void leaveBatch();
    /// Books what was reported meanwhile.
    void collect();

private:
    std::vector<std::uint64_t> submit();
    bool book(const backend::Outcome& outcome);
    void compareWithReads();

    backend::Backend& _backend;
    RecordingListener& _listener;
    Ledger& _ledger;
    std::map<backend::Key, backend::Record> _known;
    std::uint64_t _reads = 0;
};

} // namespace octostore::test
