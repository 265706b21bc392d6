// SPDX-License-Identifier: MIT
/// @file
/// An event as the API, webhooks and the console show it.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/event/Event.h>

#include <string>

namespace octostore::event
{

/// One compact JSON object: sequence, type, facts, time, resource, cause, actor, request_id,
/// previous, current, vacant_ms, and reason where an administrator gave one.
OCTOSTORE_API std::string toJson(const Event& event);

} // namespace octostore::event
