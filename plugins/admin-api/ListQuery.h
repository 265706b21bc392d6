// SPDX-License-Identifier: MIT
/// @file
/// Which items of a list, in which order, from where on.
#pragma once

#include <octostore/base/Result.h>
#include <octostore/http/Query.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace octostore::admin_api
{

struct ListQuery
{
    std::string text; ///< in lower case: part of what is searched; empty: all
    std::string sort; ///< a field
    bool descending = false;
    std::size_t limit = 50;
    std::string after; ///< the cursor of the page before; empty: from the first

    /// Of `q`, `sort`, `limit` (up to `limitMax`) and `after`. The first of `sorts` is the
    /// default. Errors: InvalidInput.
    static Result<ListQuery> read(const http::Query& query,
                                  std::initializer_list<std::string_view> sorts,
                                  std::size_t limitMax = 1000);
    /// `value`, searched without regard to case, has the text in it.
    bool matches(std::string_view value) const;
};

} // namespace octostore::admin_api
