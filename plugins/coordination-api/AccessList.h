// SPDX-License-Identifier: MIT
/// @file
/// Access lists as clients write them, as they are stored, and as they are shown.
#pragma once

#include <octostore/backend/Record.h>
#include <octostore/base/Json.h>
#include <octostore/base/Result.h>
#include <octostore/http/Identity.h>

#include <string>
#include <vector>

namespace octostore::coordination_api
{

/// `user:<name>` in lower case or `token:<digest in hex>`, sorted, each once.
using AccessList = std::vector<std::string>;

/// Reads 1..100 entries `user:<name>` or `token:<bearer token>`; blanks around an entry do not
/// count, and an entry has at most 256 bytes. Tokens are not kept, only their digests.
/// Errors: InvalidInput, saying what is wrong with which entry, never with a token in it.
Result<AccessList> readAccessList(const std::vector<std::string>& entries);

/// What `caller` may be called in an access list.
std::vector<std::string> namesInAccessLists(const http::Identity& caller);

/// `{"acquire":[...]}`; of tokens not even the digest is shown.
void writeAccessList(JsonWriter& json, const AccessList& list);

} // namespace octostore::coordination_api
