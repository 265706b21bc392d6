// SPDX-License-Identifier: MIT
#include "CheckReport.h"

#include <octostore/base/Text.h>
#include <octostore/http/ErrorResponse.h>

#include <algorithm>

namespace octostore::health
{

ProbeOptions ProbeOptions::parse(std::string_view query)
{
    ProbeOptions options;
    while (!query.empty())
    {
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view part = query.substr(0, end);
        query.remove_prefix(std::min(end + 1, query.size()));

        const std::size_t equals = std::min(part.find('='), part.size());
        const std::string_view name = part.substr(0, equals);
        const std::string_view value = part.substr(std::min(equals + 1, part.size()));
        if (name == "verbose")
            options.verbose = value != "false" && value != "0";
        if (name == "exclude")
            options.excluded.insert(percentDecode(value).value_or(std::string(value)));
    }
    return options;
}

http::Response report(const std::vector<CheckResult>& results, bool verbose)
{
    std::string lines;
    bool good = true;
    for (const CheckResult& result : results)
    {
        good = good && result.outcome.ok();
        if (result.outcome)
            lines.append("[+]").append(result.name).append(" ok").append(result.note).append("\n");
        else
        {
            lines.append("[-]").append(result.name).append(" failed: ");
            lines.append(result.outcome.error().message).append("\n");
        }
    }
    http::Response response;
    response.status = good ? 200 : 503;
    response.headers.set("content-type", "text/plain; charset=utf-8");
    // A cached answer of a probe is worse than none.
    response.headers.set("cache-control", "no-store");
    response.headers.set("x-content-type-options", "nosniff");
    if (!good || verbose)
        response.body = lines;
    if (good)
        response.body += "ok\n";
    return response;
}

std::string publicReason(const Error& error)
{
    const std::string_view reason = http::reasonOf(error.code);
    return std::string(reason.empty() ? http::wireNameOf(error.code) : reason);
}

} // namespace octostore::health
