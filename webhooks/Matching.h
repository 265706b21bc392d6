// SPDX-License-Identifier: MIT
/// @file
/// Which events a webhook gets.
#pragma once

#include "Webhook.h"

#include <octostore/event/Event.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace octostore::webhooks
{

/// `*` stands for anything within a component, `**` for anything. Takes at most as many steps as
/// the product of both lengths.
bool matchesGlob(std::string_view pattern, std::string_view name) noexcept;
/// The reference's: a `*` at the end stands for anything, elsewhere for itself.
bool matchesPrefix(std::string_view pattern, std::string_view name) noexcept;
/// `lock.acquired`, `election.*`, `*`, or one of acquired, released, renewed, expired.
bool matchesType(std::string_view pattern, event::Type type) noexcept;
/// Whether there is any event that `pattern` matches.
bool isEventPattern(std::string_view pattern) noexcept;
/// One of the reference's four words, for a fact it knows; empty for others.
std::string_view legacyWord(event::Type fact) noexcept;

/// The facts to be delivered, by index; but for the legacy format 0 stands for the whole event.
std::vector<std::uint8_t> deliveriesOf(const Webhook& webhook, const event::Event& event);

} // namespace octostore::webhooks
