// SPDX-License-Identifier: MIT
/// @file
/// A room or a lock, as the commands about either see it.
#pragma once

#include "ClientOptions.h"
#include "CommandLine.h"

#include <octostore/base/Json.h>
#include <octostore/client/HoldEvents.h>
#include <octostore/client/Http.h>
#include <octostore/client/TokenSource.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::program
{

/// What a command is about, and how it gets there. Not copied: others refer to its token.
struct Subject
{
    client::HoldKind kind = client::HoldKind::Election;
    std::string name;
    ClientOptions options;
    std::shared_ptr<client::HttpClient> http;
    std::optional<client::TokenSource> token; ///< locks only

    client::HttpRequest statusRequest();
    client::HttpRequest watchRequest();
};

/// Takes the one argument as the name, reads the options and the token. Complaints are made
/// already. Errors: the exit code.
struct SubjectOrExit
{
    std::unique_ptr<Subject> subject; ///< null: end with `exitCode`
    int exitCode = 0;
};
SubjectOrExit openSubject(const Options& options, client::HoldKind kind, Secrecy secrecy);
/// Of a command that only looks: the token of a lock is needed, nothing else is secret. `summary`
/// is what --help says about `verb`.
SubjectOrExit openSubject(const Words& arguments, client::HoldKind kind, const std::string& verb,
                          std::string_view summary);
/// What its name is called: ROOM or NAME.
std::string_view nameOf(client::HoldKind kind);

/// Whether a status answer says that somebody leads or holds.
bool isTaken(const JsonValue::Object& status);
/// A status in a line for people.
std::string describeStatus(const JsonValue::Object& status);

/// `status NAME` and `watch NAME` of both kinds.
int statusCommand(const Words& arguments, client::HoldKind kind);
int watchCommand(const Words& arguments, client::HoldKind kind);
/// `hold NAME` of both kinds, and every option that it takes.
std::vector<Option> knownHoldOptions(client::HoldKind kind);
int holdCommand(const Words& arguments, client::HoldKind kind);

} // namespace octostore::program
