// SPDX-License-Identifier: MIT
#include "FenceTerm.h"

#include <octostore/http/Query.h>

#include <cstdint>
#include <limits>

namespace octostore::coordination_api
{

Result<Term> fenceTermOf(std::string_view query)
{
    constexpr std::uint64_t termMax = std::numeric_limits<std::int64_t>::max();
    const auto fields = http::Query::parse(query);
    if (!fields)
        return fields.error();
    const auto term = fields->integer("term", 0, termMax);
    if (!term)
        return term.error();
    if (!*term)
        return Error{ErrorCode::InvalidInput, "`term` is missing; say which term to check."};
    return Term(**term);
}

} // namespace octostore::coordination_api
