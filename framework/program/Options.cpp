// SPDX-License-Identifier: MIT
#include "Options.h"

#include <algorithm>

namespace octostore::program
{

namespace
{

Error wrong(std::string what)
{
    return {ErrorCode::InvalidInput, std::move(what)};
}

/// An option as it was written: `--name=value` has its value with it.
struct Written
{
    std::string shown; ///< with dashes, without value
    const Option* option = nullptr;
    bool hasValue = false;
    std::string value;
};

Written read(const std::vector<Option>& known, const std::string& word)
{
    Written written;
    const bool isLong = word.compare(0, 2, "--") == 0;
    const std::size_t equals = isLong ? word.find('=') : std::string::npos;
    written.shown = word.substr(0, equals);
    written.hasValue = equals != std::string::npos;
    if (written.hasValue)
        written.value = word.substr(equals + 1);
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const Option& option)
                                    {
                                        return isLong ? written.shown.substr(2) == option.name
                                                      : option.letter != 0 &&
                                                            word == std::string{'-', option.letter};
                                    });
    if (found != known.end())
        written.option = &*found;
    return written;
}

} // namespace

Result<Options> Options::parse(const std::vector<Option>& known,
                               const std::vector<std::string>& words)
{
    Options options;
    for (std::size_t i = 0; i < words.size(); ++i)
    {
        if (words[i] == "--")
        {
            options._arguments.insert(options._arguments.end(), words.begin() + i + 1, words.end());
            break;
        }
        // A lone dash is an argument: standard input.
        if (words[i].size() < 2 || words[i][0] != '-')
        {
            options._arguments.push_back(words[i]);
            continue;
        }
        Written written = read(known, words[i]);
        if (written.option == nullptr)
            return wrong("unknown option " + written.shown);
        const bool takesValue = !written.option->value.empty();
        if (written.hasValue && !takesValue)
            return wrong(written.shown + " takes no value");
        if (takesValue && !written.hasValue)
        {
            if (i + 1 == words.size())
                return wrong(written.shown + " needs a value");
            written.value = words[++i];
        }
        auto& values = options._values[written.option->name];
        if (!values.empty() && !written.option->repeatable)
            return wrong(written.shown + " is given twice");
        values.push_back(written.value);
    }
    return options;
}

bool Options::has(std::string_view name) const
{
    return _values.find(name) != _values.end();
}

std::string Options::value(std::string_view name) const
{
    const auto& all = values(name);
    return all.empty() ? std::string() : all.front();
}

const std::vector<std::string>& Options::values(std::string_view name) const
{
    static const std::vector<std::string> none;
    const auto found = _values.find(name);
    return found == _values.end() ? none : found->second;
}

std::string Options::describe(const std::vector<Option>& known)
{
    std::size_t helpColumn = 26;
    std::vector<std::string> lines;
    for (const Option& option : known)
    {
        std::string line =
            option.letter != 0 ? std::string("  -") + option.letter + ", " : "      ";
        line += "--" + option.name;
        if (!option.value.empty())
            line += " " + option.value;
        helpColumn = std::max(helpColumn, line.size() + 2);
        lines.push_back(std::move(line));
    }
    std::string text;
    for (std::size_t i = 0; i < known.size(); ++i)
    {
        lines[i].resize(helpColumn, ' ');
        text += lines[i] + known[i].help + "\n";
    }
    return text;
}

} // namespace octostore::program
