// SPDX-License-Identifier: MIT
#include "RequestMaker.h"

#include <octostore/base/Json.h>

#include <algorithm>
#include <array>
#include <utility>

namespace octostore::test
{

namespace
{

// A few names, so that requests meet.
const std::vector<std::string> lockNames = {"a",        "b/c",     "team.x", "repos/acme/app",
                                            "\xc3\xa9", "acquire", "x..y",   "__election/a",
                                            "/",        "a//b",    "..",     std::string(300, 'n')};
const std::vector<std::string> roomNames = {"nightly-jobs", "room-0000", "short", "r m",
                                            std::string(65, 'r')};
// Keys whose values answers give away.
const std::array<std::string, 7> learnedKeys = {
    "lease_id", "leader_token", "session_id", "fencing_token", "term", "id", "next"};
constexpr std::size_t knownMax = 64;

std::string jsonText(std::string_view text)
{
    JsonWriter json;
    return json.value(text).take();
}

std::string percentEncoded(const std::string& text)
{
    constexpr char digits[] = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text)
    {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.' || c == '~')
            encoded += c;
        else
            (encoded += '%').append({digits[byte >> 4U], digits[byte & 15U]});
    }
    return encoded;
}

bool hasType(const JsonValue::Object& schema, const std::string& type)
{
    const auto found = schema.find("type");
    if (found == schema.end())
        return false;
    if (const std::string* one = found->second.asString())
        return *one == type;
    const JsonValue::Array& types = *found->second.asArray();
    return std::any_of(types.begin(), types.end(),
                       [&](const JsonValue& one) { return *one.asString() == type; });
}

bool isOnlyNull(const JsonValue::Object& schema)
{
    const std::string* one = schema.at("type").asString();
    return one != nullptr && *one == "null";
}

std::int64_t integerAt(const JsonValue::Object& schema, const std::string& key,
                       std::int64_t otherwise)
{
    const auto found = schema.find(key);
    return found == schema.end() ? otherwise : *found->second.asInteger();
}

} // namespace

std::string RequestMaker::make(const Operation& operation, std::size_t tokens)
{
    static const std::vector<std::string> credentials = {
        "Authorization: Bearer alice-secret-token\r\n",
        "Authorization: Bearer bob-secret-token\r\n", "X-Admin-Key: the-admin-key\r\n",
        "Authorization: Bearer nobody\r\n", ""};
    std::string request = operation.method + " " + target(operation) + " HTTP/1.1\r\nHost: x\r\n";
    // The first ones are good; one in five comes without a good one.
    request += chance(80) ? credentials[_random.number(tokens - 1)] : pick(credentials);
    std::string body;
    if (operation.body != nullptr || chance(3))
    {
        body = operation.body == nullptr ? absurd() : bodyOf(operation);
        if (!chance(3))
            request += "Content-Type: application/json\r\n";
    }
    return request + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string RequestMaker::target(const Operation& operation)
{
    std::string path = operation.path;
    std::string query;
    _name.clear();
    for (const JsonValue::Object* parameter : operation.parameters)
    {
        const std::string name = *parameter->at("name").asString();
        const std::string where = *parameter->at("in").asString();
        const JsonValue::Object& schema = *parameter->at("schema").asObject();
        if (where == "path")
        {
            const bool lock = operation.path.find("/locks/") != std::string::npos;
            const std::string chosen = inPath(operation, *parameter);
            // A name may be written plainly.
            const bool plainly = lock && chance(50) && chosen == "repos/acme/app";
            path.replace(path.find("{" + name + "}"), name.size() + 2,
                         plainly ? chosen : percentEncoded(chosen));
        }
        else if (where == "query" && chance(parameter->count("required") != 0 ? 90 : 40))
            query += (query.empty() ? "?" : "&") + name + "=" + percentEncoded(plain(name, schema));
    }
    return path + query;
}

std::string RequestMaker::inPath(const Operation& operation, const JsonValue::Object& parameter)
{
    const auto below = [&operation](const char* part)
    { return operation.path.find(part) != std::string::npos; };
    if (below("/locks/"))
        return _name = pick(lockNames);
    if (below("/elections/"))
        return _name = pick(roomNames);
    // Some names there are only a few of.
    const auto example = parameter.find("example");
    if (example != parameter.end() && chance(10) && example->second.asString() != nullptr)
        return *example->second.asString();
    const std::string& name = *parameter.at("name").asString();
    return plain(below("/sessions/") ? "session_id" : name, *parameter.at("schema").asObject());
}

/// A value as it stands in a path or a query.
std::string RequestMaker::plain(const std::string& key, const JsonValue::Object& schema)
{
    // Nobody waits here.
    if (key == "wait_seconds")
        return chance(80) ? "0" : "301";
    std::string made = chance(85) ? fitting(key, schema, 0) : absurd();
    if (made.size() > 1 && made.front() == '"')
    {
        const auto parsed = parseAny(made);
        made = parsed && parsed->asString() != nullptr ? *parsed->asString() : made;
    }
    return made.substr(0, 500);
}

std::string RequestMaker::bodyOf(const Operation& operation)
{
    if (chance(4))
        return absurd();
    std::string body = object(_description.resolve(*operation.body), 0);
    if (chance(2))
        body.resize(body.size() / 2);
    return body;
}

std::string RequestMaker::object(const JsonValue::Object& schema, unsigned depth)
{
    const auto properties = schema.find("properties");
    if (properties == schema.end())
        return "{}";
    JsonValue::Array required;
    if (const auto found = schema.find("required"); found != schema.end())
        required = *found->second.asArray();
    std::string text = "{";
    for (const auto& [key, rules] : *properties->second.asObject())
    {
        const bool needed =
            std::any_of(required.begin(), required.end(),
                        [&, &name = key](const JsonValue& one) { return *one.asString() == name; });
        if (!chance(needed ? 97 : 35))
            continue;
        text += (text.size() > 1 ? "," : "") + jsonText(key) + ":" +
                value(key, _description.resolve(*rules.asObject()), depth + 1);
    }
    if (chance(5))
        text += std::string(text.size() > 1 ? "," : "") + "\"unknown\":" + absurd();
    return text + "}";
}

std::string RequestMaker::value(const std::string& key, const JsonValue::Object& schema,
                                unsigned depth)
{
    if (key == "wait_seconds")
        return chance(85) ? "0" : "301";
    return chance(94) ? fitting(key, schema, depth) : absurd();
}

std::string RequestMaker::fitting(const std::string& key, const JsonValue::Object& schema,
                                  unsigned depth)
{
    if (const auto choices = schema.find("enum"); choices != schema.end())
    {
        const JsonValue& chosen = pick(*choices->second.asArray());
        return chosen.asString() == nullptr ? "null" : jsonText(*chosen.asString());
    }
    if (const auto one = schema.find("oneOf"); one != schema.end())
        return fitting(key, _description.resolve(*pick(*one->second.asArray()).asObject()), depth);
    if (hasType(schema, "null") && (isOnlyNull(schema) || chance(10)))
        return "null";
    const auto latest = _latest.find({_name, key});
    if (latest != _latest.end() && chance(50))
        return latest->second;
    const auto known = _known.find(key);
    if (known != _known.end() && chance(80))
        return pick(known->second);
    if (hasType(schema, "object"))
        return depth > 3 ? "{}" : object(schema, depth);
    if (hasType(schema, "array"))
    {
        if (key == "acquire")
            return chance(80) ? R"(["user:alice","user:bob"])" : R"(["nobody"])";
        return chance(50) ? R"(["*"])" : "[]";
    }
    if (hasType(schema, "integer"))
        return integer(schema);
    if (hasType(schema, "boolean"))
        return chance(50) ? "true" : "false";
    return text(key, schema);
}

std::string RequestMaker::integer(const JsonValue::Object& schema)
{
    const std::int64_t least = integerAt(schema, "minimum", 0);
    const std::int64_t most = integerAt(schema, "maximum", 1000);
    switch (_random.number(9))
    {
    case 0:
        return std::to_string(least);
    case 1:
        return std::to_string(most);
    case 2:
        return std::to_string(least - 1);
    case 3:
        return std::to_string(most + 1);
    default:
        return std::to_string(least + static_cast<std::int64_t>(_random.number(
                                          static_cast<std::uint64_t>(most - least))));
    }
}

std::string RequestMaker::text(const std::string& key, const JsonValue::Object& schema)
{
    if (const auto format = schema.find("format"); format != schema.end())
        return R"("7c5c0f0a-5a0b-4d53-8a57-2a9b1f0f7a10")";
    if (key == "candidate_id")
        return chance(90) ? R"("worker-7")" : R"("no good")";
    if (key == "url")
        return R"("https://example.org/hook")";
    if (key == "candidate_key")
        return R"("a-secret-of-mine-0001")";
    const std::int64_t most = integerAt(schema, "maxLength", 40);
    const auto length = _random.number(static_cast<std::uint64_t>(chance(10) ? most + 1 : 12));
    return jsonText(std::string(length, 'x'));
}

std::string RequestMaker::absurd()
{
    static const std::vector<std::string> values = {"null",
                                                    "-1",
                                                    "1e300",
                                                    "4294967296",
                                                    "99999999999999999999",
                                                    "true",
                                                    "\"\"",
                                                    "[]",
                                                    "{}",
                                                    "1.5",
                                                    "\"\\u0000\"",
                                                    "\"\\ud83d\\ude00\"",
                                                    "\"%00%2F..%2F\"",
                                                    "[[[[[[]]]]]]",
                                                    "{\"a\":1,\"a\":2}",
                                                    "\"\xc3\x28\"",
                                                    "nul"};
    return chance(3) ? jsonText(std::string(70'000, 'x')) : pick(values);
}

void RequestMaker::learn(const std::string& body)
{
    if (const auto object = readJson(body))
        learn(*object);
}

void RequestMaker::learn(const JsonValue::Object& object)
{
    for (const auto& [key, value] : object)
    {
        if (const JsonValue::Object* inner = value.asObject())
            learn(*inner);
        if (std::find(learnedKeys.begin(), learnedKeys.end(), key) == learnedKeys.end())
            continue;
        if (const std::string* text = value.asString())
            know(key, jsonText(*text));
        else if (const std::int64_t* number = value.asInteger())
            know(key, std::to_string(*number));
    }
}

void RequestMaker::know(const std::string& key, const std::string& value)
{
    // Locks call it fencing_token; those who ask call it term.
    const std::string asked = key == "fencing_token" ? "term" : key;
    if (!_name.empty())
        _latest[{_name, asked}] = value;
    std::vector<std::string>& values = _known[asked];
    if (values.size() >= knownMax)
        values.erase(values.begin());
    values.push_back(value);
}

} // namespace octostore::test
