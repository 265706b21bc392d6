// SPDX-License-Identifier: MIT
#include "CommitFigures.h"

namespace octostore::sqlite
{

void CommitFigures::collect(metrics::Sink& sink) const noexcept
{
    sink.add({"octostore_store_commit_duration_seconds",
              "From the first write of a batch until all of it is durable."},
             batch);
    sink.add({"octostore_store_fsync_duration_seconds",
              "The last step of a batch: the log is written and synced."},
             sync);
    sink.add({"octostore_store_transactions_total", "Transactions taken into a batch."},
             transactions);
    sink.add({"octostore_store_errors_total", "Batches that were not committed."}, failures,
             {{"op", "commit"}});
}

} // namespace octostore::sqlite
