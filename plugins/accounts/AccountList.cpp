// SPDX-License-Identifier: MIT
#include "AccountList.h"

#include <octostore/base/Json.h>
#include <octostore/base/Text.h>

#include <algorithm>
#include <utility>

namespace octostore::accounts
{

namespace
{

using http::Account;

constexpr std::size_t limitMax = 1000;
constexpr char separator = '|'; ///< not in any time

/// Where an account stands: unique, and compared as bytes.
std::string placeOf(const Account& account, const AccountFilter& filter)
{
    std::string place = toLower(account.name);
    if (!filter.byCreation)
        return place;
    // Nanoseconds have as many digits for the next 250 years.
    const auto created = account.createdAt ? account.createdAt->time_since_epoch().count() : 0;
    std::string digits = std::to_string(created);
    digits.insert(0, 19 - std::min<std::size_t>(digits.size(), 19), '0');
    return digits + separator + place;
}

std::string optionalText(const std::string& text)
{
    JsonWriter json;
    return text.empty() ? "null" : json.value(text).take();
}

void write(JsonWriter& json, const Account& account)
{
    json.beginObject()
        .field("id", account.principal.toString())
        .field("name", account.name)
        .field("identity_class", account.identityClass)
        .field("role", http::roleName(account.role))
        .key("namespace")
        .raw(optionalText(account.space))
        .key("created_at")
        .raw(optionalText(account.createdAt ? toRfc3339(*account.createdAt) : ""))
        .endObject();
}

} // namespace

Result<AccountFilter> AccountFilter::read(const http::Query& query)
{
    AccountFilter filter;
    if (const std::string* text = query.find("q"))
        filter.text = toLower(*text);
    if (const std::string* sort = query.find("sort"))
    {
        filter.descending = sort->starts_with('-');
        const std::string key = sort->substr(filter.descending ? 1 : 0);
        filter.byCreation = key == "created_at";
        if (!filter.byCreation && key != "name")
            return Error{
                ErrorCode::InvalidInput,
                "`sort` must be `name` or `created_at`, with `-` in front for descending."};
    }
    const auto limit = query.integer("limit", 1, limitMax);
    if (!limit)
        return limit.error();
    filter.limit = limit->value_or(filter.limit);
    if (const std::string* after = query.find("after"))
        filter.after = *after;
    return filter;
}

std::string accountsJson(std::vector<Account> accounts, const AccountFilter& filter)
{
    std::vector<std::pair<std::string, const Account*>> places;
    for (const Account& account : accounts)
        if (filter.text.empty() || toLower(account.name).find(filter.text) != std::string::npos ||
            toLower(account.space).find(filter.text) != std::string::npos)
            places.emplace_back(placeOf(account, filter), &account);
    const auto before = [&filter](const std::string& a, const std::string& b)
    { return filter.descending ? b < a : a < b; };
    std::sort(places.begin(), places.end(),
              [&](const auto& a, const auto& b) { return before(a.first, b.first); });

    JsonWriter json;
    json.beginObject().key("items").beginArray();
    std::size_t shown = 0;
    std::string last;
    bool more = false;
    for (const auto& [place, account] : places)
    {
        if (!filter.after.empty() && !before(filter.after, place))
            continue;
        more = shown == filter.limit;
        if (more)
            break;
        write(json, *account);
        last = place;
        ++shown;
    }
    json.endArray().field("total", static_cast<std::uint64_t>(places.size())).key("next");
    if (more)
        json.value(last);
    else
        json.nullValue();
    return json.endObject().take();
}

} // namespace octostore::accounts
