// SPDX-License-Identifier: MIT
/// @file
/// The list of accounts for administrators.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/http/Identity.h>
#include <octostore/http/Query.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::accounts
{

/// Which accounts, in which order, from where on.
struct AccountFilter
{
    std::string text;        ///< part of a name or namespace, case ignored; empty: all
    bool byCreation = false; ///< else by name; those of the configuration were never created
    bool descending = false;
    std::size_t limit = 50;
    std::string after; ///< the cursor of the page before; empty: from the first

    /// Of `q`, `sort` (`name`, `created_at`, with `-` in front for descending), `limit`, `after`.
    /// Errors: InvalidInput.
    static Result<AccountFilter> read(const http::Query& query);
};

/// `{"items":[...],"total":N,"next":cursor|null}`; `total` counts what the filter lets through.
std::string accountsJson(std::vector<http::Account> accounts, const AccountFilter& filter);

} // namespace octostore::accounts
