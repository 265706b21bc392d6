// SPDX-License-Identifier: MIT
/// @file
/// What watchers are sent, as bytes.
#pragma once

#include <octostore/coordination/Reply.h>
#include <octostore/event/Consumer.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::watches
{

/// One frame of a stream: shared by everybody who gets it.
using Frame = std::shared_ptr<const std::string>;

Frame makeFrame(std::string text);

// Of one name. `id:` is a sequence: everything up to it is known to whoever has got the frame.

/// What a lock is like now.
Frame lockSnapshot(const coordination::Status& status, WallTime now);
/// What a room is like now.
Frame roomSnapshot(std::string_view room, const coordination::Status& status, Now now);
/// One frame for each fact of the event, which is about a lock or a room; the last one has the id.
std::vector<Frame> transitionFrames(const event::Event& event);
/// A new deadline: without an id, nobody can ask for it later.
Frame renewalFrame(const event::Renewal& renewal);

/// An event as `GET /events` streams it.
Frame eventFrame(const event::Event& event);

// Of every stream.

/// What came before cannot be told any more; `of` is where the stream goes on.
Frame resetFrame();
/// The reader was too slow: what follows is lost to this stream, which ends.
Frame laggedFrame();
/// A comment. Readers ignore it.
Frame commentFrame(std::string_view text);

} // namespace octostore::watches
