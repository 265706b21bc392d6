// SPDX-License-Identifier: MIT
#include "Cors.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace octostore::http
{

namespace
{

constexpr std::array<std::string_view, 5> origins = {
    "https://octostore.io", "https://www.octostore.io", "http://localhost:3000",
    "http://localhost:4173", "http://127.0.0.1:4173"};

} // namespace

void addCors(const Request& request, Response& response)
{
    // Beside a `vary` of the handler, not instead of it.
    response.headers.add("vary",
                         "origin, access-control-request-method, access-control-request-headers");
    const std::string* origin = request.headers.find("origin");
    if (origin != nullptr && std::find(origins.begin(), origins.end(), *origin) != origins.end())
        response.headers.set("access-control-allow-origin", *origin);
    if (request.method != Method::Options)
        response.headers.set("access-control-expose-headers", "retry-after,x-request-id");
}

Response preflightResponse()
{
    Response response;
    response.headers.add("access-control-allow-methods", "GET,POST,PUT,DELETE");
    response.headers.add("access-control-allow-headers",
                         "authorization,content-type,x-admin-key,x-octostore-admin-key");
    response.headers.add("access-control-max-age", "600");
    return response;
}

} // namespace octostore::http
