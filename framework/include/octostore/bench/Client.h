// SPDX-License-Identifier: MIT
/// @file
/// What one user of the server asks, one request after the other.
#pragma once

#include <octostore/bench/AnswerReader.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace octostore::bench
{

/// What a request is for; each is measured by itself.
enum class Operation : std::uint8_t
{
    Acquire, ///< of a lock, or a campaign
    Renew,
    Release, ///< of a lock, or a resignation
    Status,
    Other,
};
inline constexpr std::size_t operationCount = 5;
std::string_view nameOf(Operation operation) noexcept;

enum class Verdict : std::uint8_t
{
    Good,
    Busy,   ///< somebody else has it: no failure
    Failed, ///< the answer was not what was asked for
};

enum class Phase : std::uint8_t
{
    Prepare, ///< what the load needs; not measured
    Load,
    Finish, ///< cleans up; not measured
};

/// One connection's worth of requests; the next is asked for when the last is answered.
/// Thread-safety: thread-affine(the loop's thread).
class Client
{
public:
    virtual ~Client();
    /// Appends a whole request to `out`. Nothing: in this phase there is nothing more to ask.
    virtual std::optional<Operation> next(Phase phase, std::string& out) = 0;
    /// `answer.status` 0: the connection broke, and whether the request did anything is unknown.
    virtual Verdict answered(const Answer& answer) = 0;
};

} // namespace octostore::bench
