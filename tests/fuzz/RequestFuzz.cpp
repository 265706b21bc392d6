// SPDX-License-Identifier: MIT
// Goal: no bytes a client sends as head and body of a request crash the server, make it answer 5xx,
// or leave a request without an answer.
// Method: libFuzzer. What findHead() takes for a head is split and judged like a transport does it,
// then goes with the rest as its body through the router, the routes of the coordination API and
// the engine on the memory backend.

#include "support/ApiServer.h"

#include <octostore/base/Assert.h>
#include <octostore/http/Framing.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace octostore::test
{

namespace
{

constexpr http::HeadLimits limits{16 * 1024, 100, 8 * 1024};

std::string_view takeUntil(std::string_view& rest, std::string_view end)
{
    const std::size_t at = rest.find(end);
    const std::string_view taken = rest.substr(0, at);
    rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + end.size());
    return taken;
}

struct Head
{
    std::string_view method;
    std::string_view target;
    std::string_view version;
    http::Headers headers;
};

Head split(std::string_view text)
{
    Head head;
    std::string_view line = takeUntil(text, "\r\n");
    head.method = takeUntil(line, " ");
    head.target = takeUntil(line, " ");
    head.version = line;
    while (!text.empty())
    {
        std::string_view field = takeUntil(text, "\r\n");
        if (field.empty())
            break;
        const std::string_view name = takeUntil(field, ":");
        head.headers.add(std::string(name), std::string(field));
    }
    return head;
}

void serve(std::string_view bytes)
{
    const auto length = http::findHead(bytes, limits);
    if (!length || *length == 0)
        return;
    OCTOSTORE_ASSERT(*length <= bytes.size());
    const Head head = split(bytes.substr(0, *length));
    if (!http::checkHead(head.method, head.target, head.version, head.headers, limits))
        return;

    ApiServer server;
    Ask ask;
    ask.method = http::parseMethod(head.method);
    ask.target = std::string(head.target);
    ask.token = std::string(ApiServer::alice);
    if (*length < bytes.size())
        ask.body = std::string(bytes.substr(*length));
    Call call = server.ask(ask);
    if (!call.answered())
        server.advance(std::chrono::minutes(6)); // longer than any wait
    OCTOSTORE_ASSERT(call.answered());
    OCTOSTORE_ASSERT(call.status() < 500);
}

} // namespace

} // namespace octostore::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    octostore::test::serve({reinterpret_cast<const char*>(data), size});
    return 0;
}
