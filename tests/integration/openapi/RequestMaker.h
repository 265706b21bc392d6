// SPDX-License-Identifier: MIT
/// @file
/// Makes requests out of the description: mostly right, often slightly wrong, sometimes absurd.
#pragma once

#include "ApiDescription.h"
#include "support/FakeRandom.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace octostore::test
{

/// The same seed makes the same requests from the same answers. Thread-safety: thread-compatible.
class RequestMaker
{
public:
    RequestMaker(const ApiDescription& description, std::uint64_t seed)
        : _description(description), _random(seed)
    {
    }

    /// The bytes of a request.
    std::string make(const Operation& operation, std::size_t tokens);
    /// Remembers what later requests may refer to: lease IDs, tokens, terms.
    void learn(const std::string& body);
    std::uint64_t number(std::uint64_t most) { return _random.number(most); }

private:
    bool chance(unsigned percent) { return _random.number(99) < percent; }
    template <class T>
    const T& pick(const std::vector<T>& values)
    {
        return values[_random.number(values.size() - 1)];
    }
    std::string target(const Operation& operation);
    std::string inPath(const Operation& operation, const JsonValue::Object& parameter);
    void learn(const JsonValue::Object& object);
    void know(const std::string& key, const std::string& value);
    std::string bodyOf(const Operation& operation);
    std::string object(const JsonValue::Object& schema, unsigned depth);
    std::string value(const std::string& key, const JsonValue::Object& schema, unsigned depth);
    std::string fitting(const std::string& key, const JsonValue::Object& schema, unsigned depth);
    std::string text(const std::string& key, const JsonValue::Object& schema);
    std::string integer(const JsonValue::Object& schema);
    std::string absurd();
    std::string plain(const std::string& key, const JsonValue::Object& schema);

    const ApiDescription& _description;
    FakeRandom _random;
    std::map<std::string, std::vector<std::string>> _known; ///< values by their key
    /// The last one of each lock and room, by its name and the key.
    std::map<std::pair<std::string, std::string>, std::string> _latest;
    std::string _name; ///< of the lock or room asked last; empty: of none
};

} // namespace octostore::test
