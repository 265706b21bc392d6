// SPDX-License-Identifier: MIT
#include "ApiDescription.h"

#include <octostore/base/Assert.h>

#include <fstream>
#include <sstream>

namespace octostore::test
{

namespace
{

std::string readDescription()
{
    std::ostringstream text;
    text << std::ifstream(OCTOSTORE_OPENAPI_JSON).rdbuf();
    return text.str();
}

const JsonValue::Object* member(const JsonValue::Object& object, const std::string& key)
{
    const auto found = object.find(key);
    return found == object.end() ? nullptr : found->second.asObject();
}

std::string mediaType(const HttpResponse& answer)
{
    const std::string type = answer.header("content-type");
    return type.substr(0, type.find(';'));
}

std::string capitals(std::string text)
{
    for (char& letter : text)
        letter = static_cast<char>(letter - 'a' + 'A');
    return text;
}

} // namespace

std::optional<JsonValue> parseAny(const std::string& text)
{
    const auto wrapped = readJson("{\"value\":" + text + "}");
    if (!wrapped || wrapped->size() != 1)
        return std::nullopt;
    return wrapped->at("value");
}

bool Operation::streams() const
{
    const JsonValue::Object* good = member(*member(*what, "responses"), "200");
    const JsonValue::Object* content = good == nullptr ? nullptr : member(*good, "content");
    return content != nullptr && content->count("text/event-stream") != 0;
}

ApiDescription::ApiDescription() : _document(readDescription())
{
    const auto addParameters = [this](Operation& operation, const JsonValue::Object& owner)
    {
        const auto found = owner.find("parameters");
        if (found == owner.end())
            return;
        for (const JsonValue& parameter : *found->second.asArray())
            operation.parameters.push_back(&resolve(*parameter.asObject()));
    };
    for (const auto& [path, item] : _document.at("#/paths"))
        for (const auto& [method, what] : *item.asObject())
        {
            if (method == "parameters")
                continue;
            Operation operation;
            operation.method = capitals(method);
            operation.path = path;
            operation.what = what.asObject();
            addParameters(operation, *item.asObject());
            addParameters(operation, *operation.what);
            if (const JsonValue::Object* body = member(*operation.what, "requestBody"))
                operation.body =
                    member(*member(*member(*body, "content"), "application/json"), "schema");
            for (const auto& [status, response] : *member(*operation.what, "responses"))
                _seen[{operation.name(), status}] = 0;
            _operations.push_back(std::move(operation));
        }
}

const Operation& ApiDescription::operation(std::string_view name) const
{
    for (const Operation& operation : _operations)
        if (operation.name() == name)
            return operation;
    OCTOSTORE_ASSERT(false);
    return _operations.front();
}

const JsonValue::Object& ApiDescription::resolve(const JsonValue::Object& object) const
{
    const auto reference = object.find("$ref");
    return reference == object.end() ? object : _document.at(*reference->second.asString());
}

std::string ApiDescription::judge(const Operation& operation, const HttpResponse& answer)
{
    const std::string status = std::to_string(answer.status);
    const auto seen = _seen.find({operation.name(), status});
    if (seen == _seen.end())
        return "the status " + status + " is not described; the body is " + answer.body;
    ++seen->second;
    const JsonValue::Object& response =
        resolve(*member(*member(*operation.what, "responses"), status));
    return judgeBody(response, answer);
}

std::string ApiDescription::judgeBody(const JsonValue::Object& response,
                                      const HttpResponse& answer) const
{
    const JsonValue::Object* content = member(response, "content");
    if (content == nullptr)
        return answer.body.empty() ? "" : "a body is not described: " + answer.body;
    const JsonValue::Object* media = member(*content, mediaType(answer));
    if (media == nullptr)
        return "the content type " + answer.header("content-type") + " is not described";
    if (mediaType(answer) != "application/json")
        return {};
    const std::optional<JsonValue> body = parseAny(answer.body);
    if (!body)
        return "the body is no JSON: " + answer.body;
    const std::string violation = _document.check(*body, *member(*media, "schema"));
    return violation.empty() ? "" : violation + "; the body is " + answer.body;
}

std::vector<std::string> ApiDescription::unseen() const
{
    std::vector<std::string> missing;
    for (const auto& [answer, count] : _seen)
        if (count == 0)
            missing.push_back(answer.first + " " + answer.second);
    return missing;
}

} // namespace octostore::test
