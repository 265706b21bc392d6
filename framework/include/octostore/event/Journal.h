// SPDX-License-Identifier: MIT
/// @file
/// What happened, to be read again by sequence.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>
#include <octostore/event/Consumer.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace octostore::event
{

/// Thread-safety: thread-safe.
class OCTOSTORE_API Journal
{
public:
    virtual ~Journal();
    /// Published events with a sequence above `after`, in order, at most `limit`. Recent ones come
    /// from memory; older ones are read from the store, which blocks: not for I/O threads.
    /// Errors: those of the backend.
    virtual Result<std::vector<EventPtr>> read(Sequence after, std::size_t limit) noexcept = 0;
    /// As read(), from memory only; nothing when memory does not reach back that far.
    virtual std::optional<std::vector<EventPtr>> recent(Sequence after,
                                                        std::size_t limit) const noexcept = 0;
    /// Everything up to this sequence has been forgotten, or comes from before the store was
    /// restored. Reading from before it misses events.
    virtual Sequence trimmed() const noexcept = 0;
    /// The last published.
    virtual Sequence newest() const noexcept = 0;
    /// `who` still needs every event above `from`, unless the journal grows to twice its limits;
    /// nothing: no longer. By default nobody is listened to.
    virtual void hold(const std::string& who, std::optional<Sequence> from) noexcept;
};

} // namespace octostore::event
