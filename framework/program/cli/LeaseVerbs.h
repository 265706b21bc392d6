// SPDX-License-Identifier: MIT
/// @file
/// What `election` and `lock` one-shots have in common: a lease that is kept in a file.
#pragma once

#include "Remote.h"
#include "SecretFile.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::program
{

/// Where the request goes that `action` names: `/locks/NAME/renew`, `/elections/ROOM`.
std::string lockPath(const std::string& name, const std::string& action = {});
std::string electionPath(const std::string& room, const std::string& action = {});
/// `?key=value` of what is given, encoded; empty values are left out.
std::string query(const std::vector<std::pair<std::string, std::string>>& parameters);

/// `--save FILE`, `--from FILE`; `what` stands in the help.
Option saveOption(const std::string& what);
Option fromOption();
/// `--ttl` and `--from` of a renewal.
std::vector<Option> renewOptions(client::HoldKind kind);
/// `--ttl`, `--wait` and `--metadata` of an acquisition.
std::vector<Option> acquireOptions(client::HoldKind kind);

/// What an acquisition asks for; wrong values end the process with ExitUsage.
struct Wish
{
    std::chrono::seconds ttl{0};
    std::chrono::seconds wait{0};
    std::string metadata;
    std::string save;
};
Wish readWish(const Options& options, client::HoldKind kind);
/// The value of `--name`; without it the process ends with ExitUsage.
std::string required(const Options& options, const std::string& name);
/// The lease in `--from`; the process ends with ExitUsage when there is none to use.
SavedLease savedLease(const Options& options, const std::string& kind, const std::string& name);
/// The TTL that a renewal asks for: `--ttl`, else what the lease was acquired with. A wrong one
/// ends the process with ExitUsage.
std::chrono::seconds renewalTtl(const Options& options, client::HoldKind kind,
                                const SavedLease& lease);
/// The file behind `--save`, to be called before anything is asked of the server: when nothing can
/// be kept there, or something else would be lost, the process ends with ExitUsage.
std::string leaseFile(const Options& options, const std::string& kind, const std::string& name);
/// As leaseFile(), for a secret that is a line: see tryReplacing().
std::string secretFile(const Options& options, const std::function<bool(std::string_view)>& isOurs);
/// save(), or the end of the process with ExitFailure.
void saveOrLeave(const std::string& file, const SavedLease& lease);

/// `--term` and `--reason` of an administrator who ends a lease, and the body made of them; missing
/// or wrong ones end the process with ExitUsage.
std::vector<Option> forceOptions();
std::string forceBody(const Options& options);

/// An answer without the secret in it.
JsonValue::Object withoutSecret(JsonValue::Object answer);
/// The exit code of a renewal or release that failed: 20 when the lease is proven to be over.
int explainLoss(const client::Failure& failure);

} // namespace octostore::program
