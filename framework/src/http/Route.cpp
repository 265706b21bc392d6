// SPDX-License-Identifier: MIT
#include <octostore/http/Route.h>

namespace octostore::http
{

RouteProvider::~RouteProvider() = default;
Filter::~Filter() = default;

std::optional<Response> Filter::denied(Exchange& /*exchange*/, const Route& /*route*/,
                                       const Error& /*error*/) noexcept
{
    return std::nullopt;
}

void Filter::unmatched(const Exchange& /*exchange*/, const Response& /*response*/) noexcept {}

} // namespace octostore::http
