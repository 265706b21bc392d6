// SPDX-License-Identifier: MIT
#include "ApiDescription.h"

#include <octostore/base/Assert.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

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

/// Names of locks may have slashes.
std::string patternOf(const std::string& path)
{
    std::string pattern;
    for (std::size_t at = 0; at < path.size(); ++at)
    {
        if (path[at] != '{')
        {
            pattern += path[at] == '.' ? "[.]" : path.substr(at, 1);
            continue;
        }
        const std::size_t end = path.find('}', at);
        pattern += path.substr(at, end - at) == "{name" ? ".*[^/]" : "[^/]+";
        at = end;
    }
    return pattern;
}

/// What stands under `example`, or under `value` of each of `examples`.
std::vector<const JsonValue*> examplesOf(const JsonValue::Object& media)
{
    std::vector<const JsonValue*> all;
    if (const auto one = media.find("example"); one != media.end())
        all.push_back(&one->second);
    if (const JsonValue::Object* named = member(media, "examples"))
        for (const auto& [name, example] : *named)
            all.push_back(&example.asObject()->at("value"));
    return all;
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

bool Operation::describes(int status) const
{
    return member(*what, "responses")->count(std::to_string(status)) != 0;
}

std::string Operation::exampleBody() const
{
    if (body == nullptr)
        return {};
    const JsonValue::Object& content = *member(*member(*what, "requestBody"), "content");
    return toJson(*examplesOf(*member(content, "application/json")).front());
}

std::string Operation::exampleTarget() const
{
    std::string target = path;
    std::string query;
    for (const JsonValue::Object* parameter : parameters)
    {
        const auto example = parameter->find("example");
        if (example == parameter->end() || parameter->count("required") == 0)
            continue;
        const std::string* text = example->second.asString();
        const std::string value = text != nullptr ? *text : toJson(example->second);
        const std::string& name = *parameter->at("name").asString();
        if (const auto place = target.find("{" + name + "}"); place != std::string::npos)
            target.replace(place, name.size() + 2, value);
        else
            query += (query.empty() ? "?" : "&") + name + "=" + value;
    }
    return target + query;
}

ApiDescription::ApiDescription() : _document(readDescription(), JsonSchema::Others::Violate)
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
            _paths.emplace_back(patternOf(path));
            _operations.push_back(std::move(operation));
        }
}

const Operation* ApiDescription::find(std::string_view method, std::string_view target) const
{
    const std::string path(target.substr(0, target.find('?')));
    std::size_t length = 0;
    const Operation* best = nullptr;
    for (std::size_t i = 0; i < _operations.size(); ++i)
    {
        const Operation& operation = _operations[i];
        if (operation.path.size() < length || !std::regex_match(path, _paths[i]))
            continue;
        // The one with an action behind the name knows more, whatever its methods are.
        if (std::exchange(length, operation.path.size()) < operation.path.size())
            best = nullptr;
        if (operation.method == method)
            best = &operation;
    }
    return best;
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

std::string ApiDescription::judgeFrame(const Operation& operation, const std::string& frame) const
{
    std::map<std::string, std::string> fields;
    std::istringstream lines(frame);
    for (std::string line; std::getline(lines, line);)
    {
        const std::size_t colon = line.find(':');
        const std::size_t value = line.find_first_not_of(' ', colon + 1);
        fields[line.substr(0, colon)] = value == std::string::npos ? "" : line.substr(value);
    }
    const std::string& event = fields["event"];
    const std::string& data = fields["data"];
    // A comment, or word that something is missed, tells nothing else.
    if (event == "reset" || event == "lagged" || fields.count("") != 0)
        return data.empty() || data == "{}" ? "" : "data is not described: " + data;
    const std::optional<JsonValue> told = parseAny(data);
    if (!told || told->asObject() == nullptr)
        return "data is no JSON object: " + data;
    if (operation.path != "/events")
        return {};
    const std::string violation =
        _document.check(*told, _document.at("#/components/schemas/Event"));
    if (!violation.empty())
        return violation + "; the data is " + data;
    const JsonValue::Object& said = *told->asObject();
    const bool same = *said.at("type").asString() == event &&
                      std::to_string(*said.at("sequence").asInteger()) == fields["id"];
    return same ? "" : "event and id are not those of the data: " + frame;
}

std::string ApiDescription::judgeError(const HttpResponse& answer) const
{
    if (answer.status < 400)
        return "the status " + std::to_string(answer.status) + " is not described";
    const std::optional<JsonValue> body = parseAny(answer.body);
    return body ? _document.check(*body, _document.at("#/components/schemas/Error"))
                : "the body is no JSON: " + answer.body;
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

std::string ApiDescription::judgeExamples(const Operation& operation) const
{
    if (const JsonValue::Object* body = member(*operation.what, "requestBody"))
        if (auto wrong = judgeExamples(*member(*member(*body, "content"), "application/json"),
                                       "application/json");
            !wrong.empty())
            return "the request: " + wrong;
    for (const auto& [status, response] : *member(*operation.what, "responses"))
    {
        const JsonValue::Object* content = member(resolve(*response.asObject()), "content");
        if (content == nullptr)
            continue;
        for (const auto& [type, media] : *content)
            if (auto wrong = judgeExamples(*media.asObject(), type); !wrong.empty())
                return status + ": " + wrong;
    }
    return {};
}

std::string ApiDescription::judgeExamples(const JsonValue::Object& media,
                                          const std::string& type) const
{
    const std::vector<const JsonValue*> examples = examplesOf(media);
    if (examples.empty())
        return type == "application/vnd.sqlite3" ? "" : type + " has no example";
    if (type != "application/json")
        return {};
    for (const JsonValue* example : examples)
        if (auto wrong = _document.check(*example, *member(media, "schema")); !wrong.empty())
            return wrong;
    return {};
}

bool ApiDescription::hasSucceeded(const Operation& operation) const
{
    return std::any_of(_seen.begin(), _seen.end(),
                       [name = operation.name()](const auto& answer) {
                           return answer.first.first == name && answer.first.second < "400" &&
                                  answer.second > 0;
                       });
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
