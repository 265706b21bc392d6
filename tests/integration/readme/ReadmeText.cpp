// SPDX-License-Identifier: MIT
#include "ReadmeText.h"

#include <sstream>

namespace octostore::test
{

std::vector<ReadmeBlock> testedBlocks(std::string_view readme)
{
    constexpr std::string_view expectation = "#> ";
    std::vector<ReadmeBlock> blocks;
    std::istringstream lines{std::string(readme)};
    bool marked = false;
    bool inside = false;
    for (std::string line; std::getline(lines, line);)
    {
        if (inside && line == "```")
            inside = marked = false;
        else if (inside && line.starts_with(expectation))
            blocks.back().expected.push_back(line.substr(expectation.size()));
        else if (inside)
            blocks.back().commands += line + '\n';
        else if (marked && line == "```sh")
        {
            inside = true;
            blocks.emplace_back();
        }
        else
            marked = line == "<!-- test -->";
    }
    return blocks;
}

std::string startVariable(std::string_view readme, std::string_view name)
{
    const std::string start = std::string(name) + "=";
    std::istringstream lines{std::string(readme)};
    for (std::string line; std::getline(lines, line);)
    {
        if (line.find("./scripts/run.sh") != line.npos && line.starts_with(start))
            return line.substr(start.size(), line.find(' ') - start.size());
    }
    return {};
}

} // namespace octostore::test
