// SPDX-License-Identifier: MIT
#include <octostore/event/Event.h>
#include <octostore/event/TypePattern.h>

namespace octostore::event
{

bool matchesTypeName(std::string_view pattern, std::string_view name) noexcept
{
    if (pattern == "*")
        return true;
    while (true)
    {
        const auto patternEnd = pattern.find('.');
        const auto nameEnd = name.find('.');
        const auto part = pattern.substr(0, patternEnd);
        if (part != "*" && part != name.substr(0, nameEnd))
            return false;
        if (patternEnd == std::string_view::npos || nameEnd == std::string_view::npos)
            return patternEnd == nameEnd;
        pattern.remove_prefix(patternEnd + 1);
        name.remove_prefix(nameEnd + 1);
    }
}

bool isTypePattern(std::string_view pattern) noexcept
{
    for (int type = 1; type <= static_cast<int>(lastType); ++type)
        if (matchesTypeName(pattern, typeName(static_cast<Type>(type))))
            return true;
    return false;
}

} // namespace octostore::event
