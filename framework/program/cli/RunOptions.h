// SPDX-License-Identifier: MIT
/// @file
/// What `octostore run` was asked for.
#pragma once

#include "CommandLine.h"
#include "Containment.h"
#include "Options.h"

#include <octostore/base/Result.h>
#include <octostore/base/Time.h>
#include <octostore/client/HoldEvents.h>

#include <optional>
#include <string>
#include <vector>

namespace octostore::program
{

struct RunOptions
{
    client::HoldKind kind = client::HoldKind::Election;
    std::string name;
    std::string candidate; ///< elections only
    std::vector<std::string> command;
    std::chrono::seconds ttl{0};
    std::optional<Milliseconds> acquireTimeout;
    Milliseconds killAfter{1000};
    Milliseconds stopTimeout{10'000};
    std::string onLost;
    ContainmentChoice containment = ContainmentChoice::Strongest;
};

std::vector<Option> knownRunOptions();
/// `command` is what stood behind `--`. Errors: InvalidInput, one line.
Result<RunOptions> readRunOptions(const Options& options, std::vector<std::string> command);

/// Where the events go: a file to append to, or the number of an open descriptor, which the command
/// does not get. -1: nowhere. Errors: InvalidInput.
Result<int> openEvents(const std::string& target);

} // namespace octostore::program
