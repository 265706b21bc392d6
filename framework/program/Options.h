// SPDX-License-Identifier: MIT
/// @file
/// Strict options of one command: no abbreviations, nothing unknown.
#pragma once

#include <octostore/base/Result.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::program
{

/// One option that a command takes.
struct Option
{
    std::string name;  ///< without the dashes
    char letter = 0;   ///< `-c`; 0: none
    std::string value; ///< what stands for its value in the help; empty: it takes none
    std::string help;
    bool repeatable = false;
};

/// What a command was given. `--name value`, `--name=value`, `-c value`; behind `--` everything is
/// an argument. Thread-safety: immutable.
class Options
{
public:
    /// Errors: InvalidInput, one line: an unknown option, one given twice, a missing or a needless
    /// value.
    static Result<Options> parse(const std::vector<Option>& known,
                                 const std::vector<std::string>& words);

    bool has(std::string_view name) const;
    /// Empty when it was not given.
    std::string value(std::string_view name) const;
    const std::vector<std::string>& values(std::string_view name) const;
    const std::vector<std::string>& arguments() const noexcept { return _arguments; }

    /// One line for each option, for the help.
    static std::string describe(const std::vector<Option>& known);

private:
    std::map<std::string, std::vector<std::string>, std::less<>> _values;
    std::vector<std::string> _arguments;
};

} // namespace octostore::program
