// SPDX-License-Identifier: MIT
#include "Decoder.h"

#include "base/Hex.h"

#include <algorithm>

namespace octostore::backend
{

std::int64_t Decoder::integer(std::string_view key)
{
    const JsonValue* value = _fields.find(key);
    const std::int64_t* number = value != nullptr ? value->asInteger() : nullptr;
    if (number != nullptr)
        return *number;
    fail();
    return 0;
}

std::uint64_t Decoder::counter(std::string_view key)
{
    const std::int64_t number = integer(key);
    if (number < 0)
        fail();
    return static_cast<std::uint64_t>(std::max<std::int64_t>(number, 0));
}

bool Decoder::boolean(std::string_view key)
{
    const JsonValue* value = _fields.find(key);
    const bool* flag = value != nullptr ? value->asBool() : nullptr;
    if (flag != nullptr)
        return *flag;
    fail();
    return false;
}

std::string Decoder::string(std::string_view key)
{
    const JsonValue* value = _fields.find(key);
    const std::string* text = value != nullptr ? value->asString() : nullptr;
    if (text != nullptr)
        return *text;
    fail();
    return {};
}

std::vector<std::string> Decoder::strings(std::string_view key)
{
    const JsonValue* value = _fields.find(key);
    const JsonValue::Array* array = value != nullptr ? value->asArray() : nullptr;
    std::vector<std::string> result;
    if (array == nullptr)
    {
        fail();
        return result;
    }
    for (const JsonValue& element : *array)
    {
        if (const std::string* text = element.asString())
            result.push_back(*text);
        else
            fail();
    }
    return result;
}

WallTime Decoder::wallTime(std::string_view key)
{
    return WallTime(std::chrono::nanoseconds(integer(key)));
}

Milliseconds Decoder::milliseconds(std::string_view key)
{
    return Milliseconds(integer(key));
}

Uuid Decoder::optionalUuid(std::string_view key)
{
    Uuid uuid;
    optionalBytes(key, uuid.bytes);
    return uuid;
}

void Decoder::optionalBytes(std::string_view key, std::span<std::uint8_t> bytes)
{
    if (!has(key))
        return;
    const std::string text = string(key);
    if (text.size() != bytes.size() * 2)
        return fail();
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
        const int high = hexDigitValue(text[2 * i]);
        const int low = hexDigitValue(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return fail();
        bytes[i] = static_cast<std::uint8_t>(high * 16 + low);
    }
}

const JsonValue::Object* Decoder::object(std::string_view key)
{
    const JsonValue* value = _fields.find(key);
    const JsonValue::Object* found = value != nullptr ? value->asObject() : nullptr;
    if (value != nullptr && found == nullptr)
        fail();
    return found;
}

} // namespace octostore::backend
