// SPDX-License-Identifier: MIT
/// @file
/// Tokens that the configuration gives to names, and the grammar they are written in.
#pragma once

#include <octostore/base/Digest.h>
#include <octostore/base/Result.h>
#include <octostore/http/Identity.h>

#include <string>
#include <string_view>
#include <vector>

namespace octostore::auth
{

/// Who a token belongs to; of the token only its digest is kept.
struct StaticToken
{
    std::string name;
    Digest token{};
    http::Role role = http::Role::User;
    std::string space;  ///< namespace; empty: none
    std::string origin; ///< where it was written, for messages
};

/// What is wrong with the key or file `origin`.
Error wrong(const std::string& origin, std::string_view what);

/// Entries `name:token`, separated by commas and line ends. Lines that begin with `#` are comments,
/// commas in them too. Blanks around names and tokens do not count; later colons belong to the
/// token. `origin` is the key or file that the text comes from.
/// Errors: Configuration, one line with origin and line number, never with a part of a token:
/// an entry without colon, an empty name, an empty token, a blank inside a token, no entry at all.
Result<std::vector<StaticToken>> parseTokens(std::string_view text, std::string_view origin);

/// One name and its token, as `auth.static.<name>.token` gives them. Errors: as parseTokens().
Result<StaticToken> makeToken(std::string_view name, std::string_view token, std::string origin);

} // namespace octostore::auth
