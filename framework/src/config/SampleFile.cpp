// SPDX-License-Identifier: MIT
#include "config/ValueText.h"

#include <octostore/config/SampleFile.h>

#include <sstream>

namespace octostore::config
{

namespace
{

constexpr std::size_t columns = 100;

constexpr std::string_view introduction =
    "The configuration of OctoStore: every key, commented out at its default.\n"
    "\n"
    "A line is `key = value`. Comments stand on lines of their own. A line that ends with a "
    "backslash goes on in the next one. Nothing is expanded. A key that is unknown or comes twice "
    "is an error; `octostore config check` shows all of them.\n"
    "\n"
    "The command line (--set key=value) overrules the environment, the environment overrules "
    "conf.d/*.properties beside this file, and those overrule this file.\n"
    "\n"
    "A secret can be read from a file: set the key with _file at its end instead.";

/// Breaks a paragraph into comment lines.
void comment(std::string& out, const std::string& paragraph)
{
    std::istringstream words(paragraph);
    std::string line = "#";
    for (std::string word; words >> word;)
    {
        if (line.size() + 1 + word.size() > columns)
        {
            out += line + '\n';
            line = "#";
        }
        line += ' ' + word;
    }
    out += line + '\n';
}

/// A line that is too long goes on in the next one, as the file itself may.
void setting(std::string& out, const std::string& text)
{
    std::istringstream words(text);
    std::string line = "#";
    std::string blank;
    for (std::string word; words >> word; blank = " ")
    {
        constexpr std::size_t end = 2; // the blank and the backslash
        if (line.size() + blank.size() + word.size() + end > columns)
        {
            out += line + " \\\n";
            line = "#   ";
        }
        line += blank + word;
    }
    out += line + '\n';
}

/// `auth.static.<name>.token` is easier to understand than a star.
std::string nameToShow(const Key& key)
{
    std::string name = key.name;
    if (isFamily(key))
        name.replace(name.find('*'), 1, "<name>");
    return name;
}

std::string facts(const Key& key, const KeyTable& table)
{
    std::string text = "Value: " + describeValue(key) + ".";
    if (!isFamily(key))
    {
        text += " Environment: " + variableOf(key.name);
        if (!key.legacyVariable.empty())
            text += " or " + key.legacyVariable;
        text += ".";
    }
    if (table.secretBehind(key.name + "_file") == &key)
        text += " Or " + nameToShow(key) + "_file.";
    return text + (key.reload == Reload::Hot ? " SIGHUP reloads it." : "");
}

} // namespace

std::string sampleFile(const KeyTable& table)
{
    std::string out;
    std::istringstream paragraphs{std::string(introduction)};
    for (std::string paragraph; std::getline(paragraphs, paragraph);)
        comment(out, paragraph);

    std::string group;
    for (const Key& key : table.keys())
    {
        const std::string first = key.name.substr(0, key.name.find('.'));
        if (first != group)
        {
            group = first;
            std::string rule = "# ---- " + group + " ";
            rule.resize(columns, '-');
            out += '\n' + rule + '\n';
        }
        out += '\n';
        comment(out, key.help);
        comment(out, facts(key, table));
        setting(out, nameToShow(key) + " = " + key.defaultValue);
    }
    return out;
}

} // namespace octostore::config
