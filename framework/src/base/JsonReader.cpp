// SPDX-License-Identifier: MIT
#include <octostore/base/Json.h>
#include <octostore/base/Text.h>

#include <Poco/JSON/JSONException.h>
#include <Poco/JSON/Parser.h>

#include <algorithm>
#include <charconv>

namespace octostore
{

namespace
{

/// The index behind the string that starts at the quote at `at`.
std::size_t behindString(std::string_view json, std::size_t at) noexcept
{
    for (++at; at < json.size() && json[at] != '"'; ++at)
    {
        if (json[at] == '\\')
            ++at;
    }
    return std::min(at + 1, json.size());
}

/// Reads the integers of a JSON text once more, one after the other: Poco 1.11 takes negative ones
/// through a double (-9007199254740993 becomes -9007199254740992) and wraps large ones around.
class IntegerScanner
{
public:
    /// What `json` is a view of must outlive this. It must be well-formed as far as it is scanned.
    explicit IntegerScanner(std::string_view json) : _json(json) {}

    /// Nothing when the integer does not fit.
    std::optional<std::int64_t> next() noexcept
    {
        while (_at < _json.size())
        {
            const char c = _json[_at];
            if (c == '"')
            {
                _at = behindString(_json, _at);
                continue;
            }
            const std::size_t start = _at;
            if (c != '-' && (c < '0' || c > '9'))
            {
                ++_at;
                continue;
            }
            _at = std::min(_json.find_first_not_of("0123456789+-.eE", start), _json.size());
            std::int64_t number = 0;
            const char* const end = _json.data() + _at;
            const auto read = std::from_chars(_json.data() + start, end, number);
            if (read.ptr == end)
                return read.ec == std::errc() ? std::optional(number) : std::nullopt;
        }
        return std::nullopt;
    }

private:
    std::string_view _json;
    std::size_t _at = 0;
};

/// Poco 1.11 cuts keys at a NUL, so that "ttl\u0000x" would pass for "ttl". `json` must be
/// well-formed.
bool hasNulInKey(std::string_view json) noexcept
{
    for (std::size_t at = json.find('"'); at < json.size(); at = json.find('"', at))
    {
        const std::size_t start = at;
        at = behindString(json, at);
        const std::size_t next = json.find_first_not_of(" \t\r\n", at);
        if (next >= json.size() || json[next] != ':')
            continue;
        for (std::size_t i = start + 1; i < at; ++i)
        {
            if (json[i] != '\\')
                continue;
            if (json.substr(i, 6) == "\\u0000")
                return true;
            ++i;
        }
    }
    return false;
}

/// Builds values from what Poco's parser reads and notes what JSON allows and we do not: it keeps
/// the first such fault and lets the parser go on, because broken syntax behind it weighs more.
class ValueBuilder final : public Poco::JSON::Handler
{
public:
    /// What `text` is a view of must outlive this.
    explicit ValueBuilder(std::string_view text) : _integers(text) {}

    void reset() override {}
    void startObject() override { _open.emplace_back().isObject = true; }
    void startArray() override { _open.emplace_back(); }
    void endObject() override { close(); }
    void endArray() override { close(); }
    void key(const std::string& name) override
    {
        if (_open.back().object.contains(name))
            note("the key `" + name + "` comes twice");
        _open.back().key = name;
    }
    void null() override { add(JsonValue()); }
    void value(int) override { addInteger(); }
    void value(unsigned) override { addInteger(); }
    void value(Poco::Int64) override { addInteger(); }
    void value(Poco::UInt64) override { addInteger(); }
    void value(const std::string& text) override { add(JsonValue(text)); }
    void value(double number) override { add(JsonValue(number)); }
    void value(bool flag) override { add(JsonValue(flag)); }

    const std::string& fault() const noexcept { return _fault; }
    /// The whole text, if it is an object.
    std::optional<JsonValue::Object> takeObject() noexcept { return std::move(_top); }

private:
    struct Open
    {
        bool isObject = false;
        JsonValue::Object object;
        JsonValue::Array array;
        std::string key;
    };

    void note(std::string fault)
    {
        if (_fault.empty())
            _fault = std::move(fault);
    }

    void addInteger()
    {
        const std::optional<std::int64_t> number = _integers.next();
        if (!number)
            note("a number is out of range");
        add(number ? JsonValue(*number) : JsonValue());
    }

    void add(JsonValue value)
    {
        if (_open.empty())
            return; // a text that is no object is refused, whatever it is
        if (_open.back().isObject)
            _open.back().object.insert_or_assign(std::move(_open.back().key), std::move(value));
        else
            _open.back().array.push_back(std::move(value));
    }

    void close()
    {
        Open done = std::move(_open.back());
        _open.pop_back();
        if (_open.empty() && done.isObject)
            _top = std::move(done.object);
        else
            add(done.isObject ? JsonValue(std::move(done.object))
                              : JsonValue(std::move(done.array)));
    }

    IntegerScanner _integers;
    std::vector<Open> _open;
    std::optional<JsonValue::Object> _top;
    std::string _fault;
};

Error malformed(std::string message)
{
    return {ErrorCode::Malformed, std::move(message)};
}
Error unprocessable(std::string message)
{
    return {ErrorCode::Unprocessable, std::move(message)};
}

} // namespace

Result<JsonValue::Object> readJson(std::string_view text)
{
    // Poco's tokenizer takes the byte FF for the end of its input.
    if (!isUtf8(text))
        return malformed("the text is not valid UTF-8");

    Poco::SharedPtr<ValueBuilder> builder(new ValueBuilder(text));
    try
    {
        Poco::JSON::Parser parser(builder);
        parser.setDepth(128);
        parser.parse(std::string(text));
    }
    catch (const Poco::JSON::JSONException& e)
    {
        return malformed("the text is not valid JSON: " + e.message());
    }
    catch (const Poco::SyntaxException&)
    {
        // Well-formed by the tokenizer, but too large for the conversion.
        return unprocessable("a number is out of range");
    }
    catch (const Poco::Exception& e)
    {
        return malformed("the text is not valid JSON: " + e.message());
    }

    if (!builder->fault().empty())
        return unprocessable(builder->fault());
    if (text.find("\\u0000") != std::string_view::npos && hasNulInKey(text))
        return unprocessable("a key has a NUL character in it");
    std::optional<JsonValue::Object> object = builder->takeObject();
    if (!object)
        return unprocessable("the JSON value must be an object");
    return std::move(*object);
}

} // namespace octostore
