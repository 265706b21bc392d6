// SPDX-License-Identifier: MIT
/// @file
/// One request, one answer.
#pragma once

#include "ClientOptions.h"

#include <octostore/base/Json.h>
#include <octostore/client/Failure.h>
#include <octostore/client/HttpClient.h>

#include <memory>
#include <string>
#include <variant>

namespace octostore::program
{

/// Blocks until the answer is there or the request timeout is over, whatever hangs.
client::HttpOutcome ask(const std::shared_ptr<client::HttpClient>& http,
                        client::HttpRequest request, const ClientOptions& options);

/// One line on standard error; the exit code: what the caller can correct is ExitUsage.
int explain(const client::Failure& failure);

/// One line on standard error for somebody who waits: that it is tried again. Not the same line
/// twice in a row: `told` is the last one, to be cleared once the server has answered.
void complainOnce(const client::Failure& failure, std::string& told);

/// Ends the process with what is written so far, and without destructors: threads that hang in the
/// resolver may still use what they would destroy.
[[noreturn]] void leave(int exitCode);

} // namespace octostore::program
