// SPDX-License-Identifier: MIT
#include "ListQuery.h"

#include <octostore/base/Text.h>

#include <algorithm>

namespace octostore::admin_api
{

namespace
{

Error badSort(std::initializer_list<std::string_view> sorts)
{
    std::string names;
    for (const std::string_view name : sorts)
        names.append(names.empty() ? "" : ", ").append(name);
    return {ErrorCode::InvalidInput,
            "`sort` must be one of " + names + ", with `-` in front for descending."};
}

} // namespace

Result<ListQuery> ListQuery::read(const http::Query& query,
                                  std::initializer_list<std::string_view> sorts,
                                  std::size_t limitMax)
{
    ListQuery list;
    list.sort = *sorts.begin();
    if (const std::string* text = query.find("q"))
        list.text = toLower(*text);
    if (const std::string* sort = query.find("sort"))
    {
        list.descending = sort->starts_with('-');
        list.sort = sort->substr(list.descending ? 1 : 0);
        if (std::find(sorts.begin(), sorts.end(), list.sort) == sorts.end())
            return badSort(sorts);
    }
    const auto limit = query.integer("limit", 1, limitMax);
    if (!limit)
        return limit.error();
    list.limit = limit->value_or(list.limit);
    if (const std::string* after = query.find("after"))
        list.after = *after;
    return list;
}

bool ListQuery::matches(std::string_view value) const
{
    return text.empty() || toLower(value).find(text) != std::string::npos;
}

} // namespace octostore::admin_api
