// SPDX-License-Identifier: MIT
/// @file
/// Strict JSON reading and ordered JSON writing.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace octostore
{

/// One JSON value, read by readJson(). Thread-safety: thread-compatible.
class OCTOSTORE_API JsonValue
{
public:
    using Array = std::vector<JsonValue>;
    using Object = std::map<std::string, JsonValue, std::less<>>;

    JsonValue() = default; // null
    explicit JsonValue(bool value) : _value(value) {}
    explicit JsonValue(std::int64_t value) : _value(value) {}
    explicit JsonValue(double value) : _value(value) {}
    explicit JsonValue(std::string value) : _value(std::move(value)) {}
    explicit JsonValue(Array value) : _value(std::make_shared<Array>(std::move(value))) {}
    explicit JsonValue(Object value) : _value(std::make_shared<Object>(std::move(value))) {}

    bool isNull() const noexcept { return std::holds_alternative<std::monostate>(_value); }
    /// Each is null when the value is of another type; a number with fraction or exponent is no
    /// integer.
    const bool* asBool() const noexcept { return std::get_if<bool>(&_value); }
    const std::int64_t* asInteger() const noexcept { return std::get_if<std::int64_t>(&_value); }
    const double* asDouble() const noexcept { return std::get_if<double>(&_value); }
    const std::string* asString() const noexcept { return std::get_if<std::string>(&_value); }
    const Array* asArray() const noexcept;
    const Object* asObject() const noexcept;

private:
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::shared_ptr<Array>,
                 std::shared_ptr<Object>>
        _value;
};

/// Reads exactly one JSON object; anything after it is an error.
/// Errors: Malformed when it is no JSON (syntax, UTF-8, trailing bytes, nesting above 128);
/// Unprocessable when it is JSON but no object, has a key twice or with a NUL in it, or a number
/// out of range.
OCTOSTORE_API Result<JsonValue::Object> readJson(std::string_view text);

/// Typed access to the keys of an object. Absent and null are the same; unknown keys are ignored.
/// Every error is Unprocessable and names the key. Thread-safety: thread-compatible.
class OCTOSTORE_API JsonFields
{
public:
    /// `object` must outlive this.
    explicit JsonFields(const JsonValue::Object& object) : _object(object) {}

    Result<std::string> string(std::string_view key) const;
    Result<std::optional<std::string>> optionalString(std::string_view key) const;
    Result<std::optional<bool>> optionalBool(std::string_view key) const;
    /// An integer without fraction or exponent, 0..`most`.
    Result<std::optional<std::uint64_t>>
    optionalInteger(std::string_view key,
                    std::uint64_t most = std::numeric_limits<std::uint32_t>::max()) const;
    /// Null when absent or null.
    const JsonValue* find(std::string_view key) const noexcept;

private:
    const JsonValue::Object& _object;
};

/// Writes compact JSON in the order of the calls. Thread-safety: thread-compatible.
///     JsonWriter json; json.beginObject().field("status", "held").null("metadata").endObject();
class OCTOSTORE_API JsonWriter
{
public:
    JsonWriter& beginObject();
    JsonWriter& endObject();
    JsonWriter& beginArray();
    JsonWriter& endArray();
    JsonWriter& key(std::string_view name);
    /// Bytes that are no UTF-8 become U+FFFD each.
    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(bool flag);
    /// The shortest digits that read back as the same number; null if it is not finite.
    JsonWriter& value(double number);
    JsonWriter& value(std::int64_t number);
    JsonWriter& value(std::uint64_t number);
    JsonWriter& value(int number) { return value(static_cast<std::int64_t>(number)); }
    JsonWriter& value(unsigned number) { return value(static_cast<std::uint64_t>(number)); }
    JsonWriter& nullValue();
    /// Text that is JSON already.
    JsonWriter& raw(std::string_view json);

    template <class T>
    JsonWriter& field(std::string_view name, const T& fieldValue)
    {
        return key(name).value(fieldValue);
    }
    JsonWriter& null(std::string_view name) { return key(name).nullValue(); }
    /// The text, or null.
    JsonWriter& field(std::string_view name, const std::optional<std::string>& text)
    {
        return text ? key(name).value(std::string_view(*text)) : null(name);
    }

    /// What has been written; the writer is empty afterwards.
    std::string take();

private:
    void separate();

    std::string _text;
    bool _needsComma = false;
};

/// One line of JSON, the members of objects in the order of their keys.
OCTOSTORE_API std::string toJson(const JsonValue& value);

} // namespace octostore
