// SPDX-License-Identifier: MIT
/// @file
/// The description of the API as a judge of answers.
#pragma once

#include "support/HttpClient.h"
#include "support/JsonSchema.h"

#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace octostore::test
{

/// One method of one path.
struct Operation
{
    std::string method; ///< in capitals
    std::string path;   ///< with `{name}`
    const JsonValue::Object* what = nullptr;
    std::vector<const JsonValue::Object*> parameters; ///< its own and those of the path
    const JsonValue::Object* body = nullptr;          ///< its schema
    std::string name() const { return method + " " + path; }
    /// Whether an answer may be a stream without an end.
    bool streams() const;
    /// Whether an answer with this status is described.
    bool describes(int status) const;
    /// Whether it needs a credential.
    bool secured() const { return what->count("security") != 0; }
    /// The example of its body, as JSON; empty when it has no body.
    std::string exampleBody() const;
    /// Its path with the example of each parameter, and the query parameters it cannot do without.
    std::string exampleTarget() const;
};

/// Reads openapi.json of the build; counts which answers it has seen. Thread-safety:
/// thread-compatible.
class ApiDescription
{
public:
    ApiDescription();

    const std::vector<Operation>& operations() const noexcept { return _operations; }
    /// What a target belongs to; null: nothing that is described.
    const Operation* find(std::string_view method, std::string_view target) const;
    /// Asserts that there is one.
    const Operation& operation(std::string_view name) const;
    const JsonSchema& schemas() const noexcept { return _document; }
    /// What `object` is, behind a `$ref`.
    const JsonValue::Object& resolve(const JsonValue::Object& object) const;

    /// What is wrong with the answer; empty: nothing.
    std::string judge(const Operation& operation, const HttpResponse& answer);

    /// The same for a frame of a stream, without the empty line behind it.
    std::string judgeFrame(const Operation& operation, const std::string& frame) const;

    /// The same for an answer that belongs to no operation: an error.
    std::string judgeError(const HttpResponse& answer) const;

    /// Documented answers that did not come, as `GET /locks 503`.
    std::vector<std::string> unseen() const;
    std::size_t documented() const noexcept { return _seen.size(); }
    /// Whether an answer came that is no error.
    bool hasSucceeded(const Operation& operation) const;
    /// What is wrong with the examples of an operation; empty: nothing.
    std::string judgeExamples(const Operation& operation) const;

private:
    std::string judgeExamples(const JsonValue::Object& media, const std::string& type) const;
    std::string judgeBody(const JsonValue::Object& response, const HttpResponse& answer) const;

    JsonSchema _document;
    std::vector<Operation> _operations;
    std::vector<std::regex> _paths;                                   ///< of the operations
    std::map<std::pair<std::string, std::string>, std::size_t> _seen; ///< by operation and status
};

/// A JSON value of any kind; nothing: it is none.
std::optional<JsonValue> parseAny(const std::string& text);

} // namespace octostore::test
