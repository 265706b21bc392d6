// SPDX-License-Identifier: MIT
#include <octostore/config/Sources.h>

#include <string_view>

namespace octostore::config
{

namespace
{

struct Option
{
    std::string_view name;
    std::optional<std::string> value;
};

/// `--set`, or `--set=value` with its value; nothing for any other argument.
std::optional<Option> optionOf(const std::string& argument)
{
    if (argument == "-c" || argument == "--config")
        return Option{"--config", std::nullopt};
    for (const std::string_view name : {"--config", "--set"})
    {
        if (argument == name)
            return Option{name, std::nullopt};
        if (argument.size() > name.size() && argument[name.size()] == '=' &&
            argument.compare(0, name.size(), name) == 0)
            return Option{name, argument.substr(name.size() + 1)};
    }
    return std::nullopt;
}

Result<void> apply(Option option, Sources& sources)
{
    if (option.name == "--set")
    {
        if (option.value->find('=') == std::string::npos)
            return Error{ErrorCode::InvalidInput, "--set needs key=value"};
        sources.settings.push_back(std::move(*option.value));
        return {};
    }
    if (option.value->empty())
        return Error{ErrorCode::InvalidInput, "--config needs a file"};
    if (sources.file)
        return Error{ErrorCode::InvalidInput, "--config is given twice"};
    sources.file = std::move(*option.value);
    return {};
}

} // namespace

Result<void> takeOptions(std::vector<std::string>& arguments, Sources& sources)
{
    std::vector<std::string> rest;
    for (std::size_t i = 0; i < arguments.size(); ++i)
    {
        if (arguments[i] == "--")
        {
            rest.insert(rest.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i),
                        arguments.end());
            break;
        }
        auto option = optionOf(arguments[i]);
        if (!option)
        {
            rest.push_back(std::move(arguments[i]));
            continue;
        }
        if (!option->value)
        {
            if (++i == arguments.size())
                return Error{ErrorCode::InvalidInput, std::string(option->name) + " needs a value"};
            option->value = std::move(arguments[i]);
        }
        if (auto applied = apply(std::move(*option), sources); !applied)
            return applied;
    }
    arguments = std::move(rest);
    return {};
}

std::map<std::string, std::string> readEnvironment(const char* const* variables)
{
    std::map<std::string, std::string> result;
    for (; *variables != nullptr; ++variables)
    {
        const std::string_view entry = *variables;
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos)
            result.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
    return result;
}

} // namespace octostore::config
