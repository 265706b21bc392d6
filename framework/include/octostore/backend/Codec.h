// SPDX-License-Identifier: MIT
/// @file
/// Values and events as JSON text, for backends that store text.
#pragma once

#include <octostore/backend/Record.h>
#include <octostore/base/Api.h>
#include <octostore/base/Result.h>
#include <octostore/event/Event.h>

#include <string>
#include <string_view>

namespace octostore::backend
{

/// Compact JSON with a version of its own; integers and enumerators as numbers, instants in
/// nanoseconds, digests in hex. The collection is not part of the text. Text must be UTF-8 and
/// counters below 2^63. An erased value is `null`.
OCTOSTORE_API std::string encodeValue(const Value& value);
/// Errors: Corrupt.
OCTOSTORE_API Result<Value> decodeValue(Collection collection, std::string_view text);

/// The sequence is not part of the text.
OCTOSTORE_API std::string encodeEvent(const event::Draft& draft);
/// Errors: Corrupt.
OCTOSTORE_API Result<event::Draft> decodeEvent(std::string_view text);

/// Fills in what only the commit knows: term 0 of lease records and of the event's holdings
/// becomes `revision`. Backends call it on each transaction they commit.
OCTOSTORE_API void stamp(Value& value, Revision revision) noexcept;
OCTOSTORE_API void stamp(event::Draft& draft, Revision revision) noexcept;

} // namespace octostore::backend
