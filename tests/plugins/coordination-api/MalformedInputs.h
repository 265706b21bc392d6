// SPDX-License-Identifier: MIT
/// @file
/// Requests that are wrong, and what their senders are told.
#pragma once

#include <octostore/http/Message.h>

#include <optional>
#include <string>
#include <vector>

namespace octostore::test
{

struct MalformedInput
{
    std::string what;
    http::Method method = http::Method::Post;
    std::string target;
    std::string authorization; ///< the whole header; empty: none
    std::optional<std::string> body;
    std::string contentType; ///< empty: none

    int status = 0;
    std::string code;
    std::string allow; ///< of a 405
};

/// `token` is a good bearer token.
std::vector<MalformedInput> malformedInputs(const std::string& token);

} // namespace octostore::test
