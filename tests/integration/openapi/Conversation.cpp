// SPDX-License-Identifier: MIT
#include "Conversation.h"

#include <octostore/base/Text.h>

namespace octostore::test
{

namespace
{

http::Method methodNamed(const std::string& name)
{
    for (const http::Method method : {http::Method::Get, http::Method::Post, http::Method::Put,
                                      http::Method::Patch, http::Method::Delete})
        if (http::methodName(method) == name)
            return method;
    ADD_FAILURE() << name;
    return http::Method::Get;
}

} // namespace

HttpResponse Conversation::received(const http::Response& response)
{
    HttpResponse got;
    got.status = response.status;
    got.body = response.body;
    for (const http::Header& header : response.headers.all())
        got.headers[toLower(header.name)] = header.value;
    return got;
}

std::string Conversation::requestOf(const Operation& operation, const std::string& target,
                                    const std::string& headers, const std::string& body)
{
    std::string request = operation.method + " " + target + " HTTP/1.1\r\nHost: x\r\n" + headers;
    if (operation.body != nullptr && headers.find("Content-Type") == std::string::npos)
        request += "Content-Type: application/json\r\n";
    if (headers.find("Content-Length") == std::string::npos)
        request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    return request + "\r\n" + body;
}

JsonValue::Object Conversation::judge(const Operation& operation, const HttpResponse& answer,
                                      int status)
{
    EXPECT_EQ(answer.status, status) << operation.name() << ": " << answer.body;
    EXPECT_EQ(_description.judge(operation, answer), "") << operation.name();
    const auto json = parseAny(answer.body);
    return json && json->asObject() != nullptr ? *json->asObject() : JsonValue::Object();
}

JsonValue::Object Conversation::ask(DescribedServer& server, std::string_view name,
                                    const std::string& target, int status,
                                    const std::string& headers, const std::string& body)
{
    const Operation& operation = _description.operation(name);
    const auto answer = server.send(requestOf(operation, target, headers, body));
    EXPECT_TRUE(answer) << name << " is not answered";
    return answer ? judge(operation, *answer, status) : JsonValue::Object();
}

JsonValue::Object Conversation::ask(InProcessServer& server, std::string_view name,
                                    const std::string& target, int status, std::string_view token,
                                    const std::string& body)
{
    const Operation& operation = _description.operation(name);
    InProcessServer::Question question{methodNamed(operation.method), target, {}, {}};
    if (!token.empty())
        question.headers.push_back({"Authorization", "Bearer " + std::string(token)});
    if (!body.empty())
        question.body = body;
    const http::Response answer =
        operation.streams() ? server.stream(question).head() : server.ask(question);
    return judge(operation, received(answer), status);
}

std::string Conversation::textOf(const JsonValue::Object& object, const std::string& key)
{
    const auto found = object.find(key);
    return found == object.end() || found->second.asString() == nullptr ? ""
                                                                        : *found->second.asString();
}

std::string Conversation::numberOf(const JsonValue::Object& object, const std::string& key)
{
    const auto found = object.find(key);
    return found == object.end() || found->second.asInteger() == nullptr
               ? "0"
               : std::to_string(*found->second.asInteger());
}

} // namespace octostore::test
