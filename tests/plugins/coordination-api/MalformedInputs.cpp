// SPDX-License-Identifier: MIT
#include "MalformedInputs.h"

#include <iterator>

namespace octostore::test
{

namespace
{

using http::Method;

const std::string jsonType = "application/json";
const std::string acquirePath = "/locks/malformed/acquire";

std::string nested(std::size_t depth)
{
    return "{\"x\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
}

std::vector<MalformedInput> contentTypes(const std::string& bearer)
{
    std::vector<MalformedInput> rows;
    for (const char* type :
         {"", "text/plain", "application/jsonp", "application/x-www-form-urlencoded", "text/json",
          "application/+json", "json"})
        rows.push_back({"content type `" + std::string(type) + "`", Method::Post, acquirePath,
                        bearer, "{}", type, 415, "invalid_input", ""});
    return rows;
}

std::vector<MalformedInput> bodiesThatAreNoJson(const std::string& bearer)
{
    const std::vector<std::string> bodies = {
        "",
        " \n",
        "{",
        R"({"ttl_seconds":60)",
        "{]",
        "{'a':1}",
        "{\"a\":01}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{}}",
        "{} x",
        "{}{}",
        "nul",
        "{\"a\":\"\xFF\"}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\n\"}",
        nested(200),
    };
    std::vector<MalformedInput> rows;
    for (const std::string& body : bodies)
        rows.push_back({"no JSON: " + body, Method::Post, acquirePath, bearer, body, jsonType, 400,
                        "invalid_input", ""});
    return rows;
}

std::vector<MalformedInput> bodiesOfTheWrongShape(const std::string& bearer)
{
    const std::vector<std::string> acquires = {
        "[]",
        "null",
        "1",
        "\"x\"",
        R"([60,"m"])",
        R"({"ttl_seconds":"60"})",
        R"({"ttl_seconds":60.0})",
        R"({"ttl_seconds":6e1})",
        R"({"ttl_seconds":-1})",
        R"({"ttl_seconds":4294967296})",
        R"({"ttl_seconds":99999999999999999999})",
        R"({"ttl_seconds":true})",
        R"({"ttl_seconds":60,"ttl_seconds":60})",
        R"({"metadata":1})",
        R"({"metadata":{}})",
        R"({"lock_delay_seconds":"1"})",
        R"({"wait_seconds":1.5})",
        R"({"ephemeral":"true"})",
        R"({"ephemeral":1})",
        R"({"session_id":"x"})",
        R"({"session_id":1})",
        R"({"acl":{}})",
        R"({"acl":[]})",
        R"({"acl":{"acquire":"user:a"}})",
        R"({"acl":{"acquire":[1]}})",
    };
    std::vector<MalformedInput> rows;
    const auto add = [&rows](const std::string& target, const std::string& authorization,
                             const std::string& body)
    {
        rows.push_back({"wrong shape: " + target + " " + body, Method::Post, target, authorization,
                        body, jsonType, 422, "invalid_input", ""});
    };
    for (const std::string& body : acquires)
        add(acquirePath, bearer, body);
    for (const char* action : {"renew", "release"})
    {
        for (const char* body : {"{}", R"({"lease_id":null})", R"({"lease_id":"x"})",
                                 R"({"lease_id":1})", R"({"lease_id":""})"})
            add("/locks/malformed/" + std::string(action), bearer, body);
    }
    for (const char* action : {"campaign", "renew", "resign"})
    {
        for (const char* body : {"{}", "[]", R"({"candidate_id":1,"leader_token":1})",
                                 R"({"candidate_id":null,"leader_token":null})",
                                 R"({"candidate_id":"a","leader_token":"a","ttl_seconds":-5})"})
            add("/elections/malformed/" + std::string(action), "", body);
    }
    for (const char* body :
         {R"({"candidate_id":"a","candidate_key":1})", R"({"candidate_id":"a","wait_seconds":"1"})",
          R"({"candidate_id":"a","candidate_id":"a"})"})
        add("/elections/malformed/campaign", "", body);
    return rows;
}

std::vector<MalformedInput> pathsAndMethods(const std::string& bearer)
{
    const auto row = [&bearer](Method method, const std::string& target, int status,
                               const std::string& code, const std::string& allow = "")
    {
        return MalformedInput{std::string(http::methodName(method)) + " " + target,
                              method,
                              target,
                              bearer,
                              std::nullopt,
                              "",
                              status,
                              code,
                              allow};
    };
    return {
        row(Method::Get, "/nothing/here", 404, "not_found"),
        row(Method::Get, "/locks/", 404, "not_found"),
        row(Method::Get, "/locks/x/", 404, "not_found"),
        row(Method::Get, "/elections/", 404, "not_found"),
        row(Method::Get, "/Locks", 404, "not_found"),
        row(Method::Get, "/elections", 405, "invalid_input", "POST"),
        row(Method::Post, "/locks", 405, "invalid_input", "GET,HEAD"),
        row(Method::Delete, "/locks/x", 405, "invalid_input", "GET,HEAD"),
        row(Method::Get, "/locks/x/acquire", 405, "invalid_input", "POST"),
        row(Method::Put, "/locks/x/renew", 405, "invalid_input", "POST"),
        row(Method::Post, "/elections/roomroom", 405, "invalid_input", "GET,HEAD"),
        row(Method::Get, "/locks/%FF", 400, "invalid_input"),
        row(Method::Get, "/locks/%C3%28", 400, "invalid_input"),
        row(Method::Get, "/locks/%2", 400, "invalid_input"),
        row(Method::Get, "/elections/%FF", 400, "invalid_input"),
        row(Method::Get, "/elections/short", 400, "invalid_input"),
        row(Method::Get, "/locks?prefix=a&prefix=b", 400, "invalid_input"),
        row(Method::Get, "/locks?prefix=%", 400, "invalid_input"),
        row(Method::Get, "/locks/x/fence", 400, "invalid_input"),
        row(Method::Get, "/locks/%20", 400, "invalid_lock_name"),
        row(Method::Get, "/locks/__election/x", 403, "forbidden"),
    };
}

std::vector<MalformedInput> credentials(const std::string& token)
{
    const auto row = [](const std::string& authorization, const std::string& code)
    {
        return MalformedInput{"authorization `" + authorization + "`",
                              Method::Post,
                              acquirePath,
                              authorization,
                              "{",
                              "text/plain",
                              401,
                              code,
                              ""};
    };
    return {
        row("", "authentication_required"),
        row("Basic " + token, "authentication_required"),
        row("bearer " + token, "authentication_required"),
        row(token, "authentication_required"),
        row("Bearer " + token + "x", "authentication_failed"),
        row("Bearer  " + token, "authentication_failed"),
        row("Bearer admin:" + token, "authentication_failed"),
    };
}

} // namespace

std::vector<MalformedInput> malformedInputs(const std::string& token)
{
    const std::string bearer = "Bearer " + token;
    std::vector<MalformedInput> all;
    for (std::vector<MalformedInput> rows :
         {contentTypes(bearer), bodiesThatAreNoJson(bearer), bodiesOfTheWrongShape(bearer),
          pathsAndMethods(bearer), credentials(token)})
        std::move(rows.begin(), rows.end(), std::back_inserter(all));
    return all;
}

} // namespace octostore::test
