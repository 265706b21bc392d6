// SPDX-License-Identifier: MIT
/// @file
/// The text that /livez and /readyz answer.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/http/Message.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::health
{

/// What the query of a probe asks: `?verbose&exclude=store&exclude=disk`.
struct ProbeOptions
{
    bool verbose = false;
    std::set<std::string, std::less<>> excluded;

    static ProbeOptions parse(std::string_view query);
};

struct CheckResult
{
    std::string name;
    Result<void> outcome;
    std::string note{}; ///< what else should be known, of a good one
};

/// 200 with `ok`, or 503 with a line for each check; `verbose` shows the lines in both cases.
http::Response report(const std::vector<CheckResult>& results, bool verbose);

/// Why something failed, as far as anybody may know: this answer needs no credential.
std::string publicReason(const Error& error);

} // namespace octostore::health
