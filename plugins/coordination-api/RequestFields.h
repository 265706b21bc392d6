// SPDX-License-Identifier: MIT
/// @file
/// Reads the fields of a body and remembers the first that has the wrong shape.
#pragma once

#include <octostore/base/Id.h>
#include <octostore/base/Json.h>
#include <octostore/base/Result.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::coordination_api
{

/// Absent and null are the same. After a field of the wrong shape every getter still answers, with
/// nothing, and fault() is what the client is told. Thread-safety: thread-compatible.
class RequestFields
{
public:
    /// `body` must outlive this.
    explicit RequestFields(const JsonValue::Object& body) : _fields(body) {}

    std::string string(std::string_view key);
    std::optional<std::string> optionalString(std::string_view key);
    /// 0..4294967295.
    std::optional<std::uint64_t> integer(std::string_view key);
    bool flag(std::string_view key);
    Uuid uuid(std::string_view key);
    std::optional<Uuid> optionalUuid(std::string_view key);
    /// The entries of an access list, `{"acquire": [text, ...]}`, as they are written.
    std::optional<std::vector<std::string>> accessList(std::string_view key);

    /// Unprocessable, naming the key.
    const std::optional<Error>& fault() const noexcept { return _fault; }

private:
    template <class T>
    T keep(Result<T> read);
    void refuse(std::string_view key, std::string_view expected);

    JsonFields _fields;
    std::optional<Error> _fault;
};

/// `value` lies in `least`..`most`, or is absent. Errors: `code`, naming the key and the range.
Result<void> checkRange(ErrorCode code, std::string_view key, std::optional<std::uint64_t> value,
                        std::uint64_t least, std::uint64_t most);

/// The first that failed, or success.
Result<void> firstFailure(std::initializer_list<Result<void>> checks);

} // namespace octostore::coordination_api
