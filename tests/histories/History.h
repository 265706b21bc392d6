// SPDX-License-Identifier: MIT
/// @file
/// What clients of one name asked and were told, and when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace octostore::test
{

enum class Action : std::uint8_t
{
    Acquire, ///< or campaign
    Renew,
    Release, ///< or resign
    Status,
};

enum class Told : std::uint8_t
{
    Granted,    ///< Acquire: `lease` and `term`
    Held,       ///< Acquire: by another. Status: at `term`
    Done,       ///< Renew, Release of `lease`
    NotCurrent, ///< Renew, Release of `lease`
    Free,       ///< Status
    Nothing,    ///< no answer: it happened until `returned`, or never will
};

/// Instants are of one clock; the operation took effect between them.
struct Operation
{
    int holder = 0; ///< who asked; the holder of what is granted
    Action action = Action::Acquire;
    Told told = Told::Nothing;
    std::string lease = {}; ///< lease ID or leader token
    std::int64_t term = 0;
    std::int64_t invoked = 0;
    std::int64_t returned = 0;
};

using History = std::vector<Operation>;

std::string textOf(const Operation& operation);

} // namespace octostore::test
