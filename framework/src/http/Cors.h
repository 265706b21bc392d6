// SPDX-License-Identifier: MIT
/// @file
/// Which pages of other origins may read our answers.
#pragma once

#include <octostore/http/Message.h>

namespace octostore::http
{

/// Adds the CORS headers that every answer has.
void addCors(const Request& request, Response& response);

/// The answer to OPTIONS on any path; addCors() completes it.
Response preflightResponse();

} // namespace octostore::http
