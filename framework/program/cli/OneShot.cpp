// SPDX-License-Identifier: MIT
#include "OneShot.h"

#include "Calls.h"
#include "ExitCode.h"
#include "Wakeups.h"

#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace octostore::program
{

namespace
{

void write(JsonWriter& json, const JsonValue& value)
{
    if (const auto* object = value.asObject())
    {
        json.beginObject();
        for (const auto& [key, member] : *object)
        {
            json.key(key);
            write(json, member);
        }
        json.endObject();
    }
    else if (const auto* array = value.asArray())
    {
        json.beginArray();
        for (const JsonValue& element : *array)
            write(json, element);
        json.endArray();
    }
    else if (const auto* text = value.asString())
        json.value(std::string_view(*text));
    else if (const auto* integer = value.asInteger())
        json.value(*integer);
    else if (const auto* number = value.asDouble())
        json.value(*number);
    else if (const auto* flag = value.asBool())
        json.value(*flag);
    else
        json.nullValue();
}

} // namespace

client::HttpOutcome ask(const std::shared_ptr<client::HttpClient>& http,
                        client::HttpRequest request, const ClientOptions& options)
{
    const SystemClock clock;
    Wakeups wakeups({});
    Calls calls(http, clock, wakeups.notifier());
    calls.start(std::move(request), options.requestTimeout);
    for (;;)
    {
        for (Completion& completion : calls.take())
            return std::move(completion.outcome);
        wakeups.wait(calls.nextDeadline());
    }
}

int explain(const client::Failure& failure)
{
    std::string text = failure.message.empty() ? failure.code : failure.message;
    if (!failure.requestId.empty())
        text += " (" + failure.requestId + ")";
    complain(text);
    return client::worthRetrying(failure) ? int{ExitFailure} : int{ExitUsage};
}

std::string toJson(const JsonValue::Object& object)
{
    JsonWriter json;
    write(json, JsonValue(object));
    return json.take();
}

void leave(int exitCode)
{
    std::cout << std::flush;
    std::cerr << std::flush;
    std::fflush(nullptr);
    std::_Exit(exitCode);
}

} // namespace octostore::program
