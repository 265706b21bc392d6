// SPDX-License-Identifier: MIT
#include "config/Suggestion.h"

#include <octostore/base/Text.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace octostore::config
{

namespace
{

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

} // namespace

std::optional<std::string> nearestWord(std::string_view typed,
                                       const std::vector<std::string>& words)
{
    // A third of the letters: more than that is another word.
    std::size_t least = std::max<std::size_t>(typed.size() / 3, 1) + 1;
    std::optional<std::string> nearest;
    for (const std::string& word : words)
    {
        const std::size_t distance = editDistance(toLower(typed), toLower(word));
        if (distance < least)
        {
            least = distance;
            nearest = word;
        }
    }
    return nearest;
}

std::string didYouMean(const std::optional<std::string>& word)
{
    return word ? ", did you mean " + *word + "?" : std::string();
}

} // namespace octostore::config
