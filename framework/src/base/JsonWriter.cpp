// SPDX-License-Identifier: MIT
#include "Hex.h"
#include "Utf8.h"

#include <octostore/base/Json.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace octostore
{

namespace
{

/// Whether a byte stands for itself in a string.
constexpr std::array<bool, 256> plainBytes = []
{
    std::array<bool, 256> plain{};
    for (unsigned byte = 0x20; byte < 0x80; ++byte)
        plain[byte] = byte != '"' && byte != '\\';
    return plain;
}();

void appendEscape(std::string& out, unsigned char byte)
{
    out += '\\';
    switch (byte)
    {
    case '"':
    case '\\':
        out += static_cast<char>(byte);
        return;
    case '\n':
        out += 'n';
        return;
    case '\r':
        out += 'r';
        return;
    case '\t':
        out += 't';
        return;
    default:
        out += "u00";
        out += lowerHexDigits[byte >> 4U];
        out += lowerHexDigits[byte & 0x0FU];
    }
}

/// Bytes that are no UTF-8 become U+FFFD each, so the result is JSON whatever comes in.
void appendString(std::string& out, std::string_view text)
{
    out += '"';
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t start = at;
        while (at < text.size() && plainBytes[static_cast<unsigned char>(text[at])])
            ++at;
        out.append(text, start, at - start);
        if (at == text.size())
            break;
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte < 0x80)
        {
            appendEscape(out, byte);
            ++at;
            continue;
        }
        const std::size_t length = utf8SequenceLength(text, at);
        if (length == 0)
            out += "\\ufffd";
        else
            out.append(text, at, length);
        at += length == 0 ? 1 : length;
    }
    out += '"';
}

template <class T>
void appendNumber(std::string& out, T number)
{
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, number);
    out.append(text, end.ptr);
}

void writeValue(JsonWriter& json, const JsonValue& value)
{
    if (const auto* object = value.asObject())
    {
        json.beginObject();
        for (const auto& [key, member] : *object)
        {
            json.key(key);
            writeValue(json, member);
        }
        json.endObject();
    }
    else if (const auto* array = value.asArray())
    {
        json.beginArray();
        for (const JsonValue& element : *array)
            writeValue(json, element);
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

void JsonWriter::separate()
{
    if (_needsComma)
        _text += ',';
    _needsComma = true;
}

JsonWriter& JsonWriter::beginObject()
{
    separate();
    _text += '{';
    _needsComma = false;
    return *this;
}

JsonWriter& JsonWriter::endObject()
{
    _text += '}';
    _needsComma = true;
    return *this;
}

JsonWriter& JsonWriter::beginArray()
{
    separate();
    _text += '[';
    _needsComma = false;
    return *this;
}

JsonWriter& JsonWriter::endArray()
{
    _text += ']';
    _needsComma = true;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name)
{
    separate();
    appendString(_text, name);
    _text += ':';
    _needsComma = false;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text)
{
    separate();
    appendString(_text, text);
    return *this;
}

JsonWriter& JsonWriter::value(bool flag)
{
    return raw(flag ? "true" : "false");
}

JsonWriter& JsonWriter::value(double number)
{
    if (!std::isfinite(number)) // JSON has no word for it
        return nullValue();
    separate();
    appendNumber(_text, number);
    return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number)
{
    separate();
    appendNumber(_text, number);
    return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number)
{
    separate();
    appendNumber(_text, number);
    return *this;
}

JsonWriter& JsonWriter::nullValue()
{
    return raw("null");
}

JsonWriter& JsonWriter::raw(std::string_view json)
{
    separate();
    _text += json;
    return *this;
}

std::string JsonWriter::take()
{
    _needsComma = false;
    return std::exchange(_text, {});
}

std::string toJson(const JsonValue& value)
{
    JsonWriter json;
    writeValue(json, value);
    return json.take();
}

} // namespace octostore
