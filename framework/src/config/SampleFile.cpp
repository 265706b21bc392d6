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

constexpr std::string_view pageIntroduction =
    "# Configuration\n"
    "\n"
    "Every key there is, of the server and of the plugins that come with it. This page is what\n"
    "`octostore config sample --markdown` prints; `octostore config sample` prints the same as a\n"
    "properties file.\n"
    "\n"
    "A key is set by a line `key = value` of the properties file, by its environment variable or "
    "by\n"
    "`--set key=value`. The command line overrules the environment, the environment overrules\n"
    "`conf.d/*.properties` beside the file, and those overrule the file. A secret can be read from "
    "a\n"
    "file: set the key, or its variable, with `_file` or `_FILE` at its end.\n"
    "\n"
    "A value that is wrong, wherever it stands and whichever plugin reads it, keeps the server "
    "from\n"
    "starting (code 78) and from reloading; `octostore config check` shows everything that is "
    "wrong,\n"
    "also plugins that are enabled but cannot be loaded.\n";

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

/// `storage` of `storage.database`.
std::string groupOf(const Key& key)
{
    return key.name.substr(0, key.name.find('.'));
}

std::string code(const std::string& text)
{
    return text.empty() ? text : "`" + text + "`";
}

/// A bar would end the cell of a table.
std::string cell(const std::string& text)
{
    std::string out;
    for (const char c : text)
        out += c == '|' ? std::string("\\|") : std::string(1, c);
    return out.empty() ? " |" : " " + out + " |";
}

std::string pageRow(const Key& key, const KeyTable& table)
{
    std::string names = code(nameToShow(key));
    if (table.secretBehind(key.name + "_file") == &key)
        names += " or " + code(nameToShow(key) + "_file");
    std::string variables = isFamily(key) ? std::string() : code(variableOf(key.name));
    if (!key.legacyVariable.empty())
        variables += " or " + code(key.legacyVariable);
    return "|" + cell(names) + cell(describeValue(key)) + cell(code(key.defaultValue)) +
           cell(variables) + cell(key.reload == Reload::Hot ? "SIGHUP" : "restart") +
           cell(key.help) + '\n';
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
        if (groupOf(key) != group)
        {
            group = groupOf(key);
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

std::string samplePage(const KeyTable& table)
{
    std::string out(pageIntroduction);
    std::string group;
    for (const Key& key : table.keys())
    {
        if (groupOf(key) != group)
        {
            group = groupOf(key);
            out += "\n## " + group +
                   "\n\n| key | value | default | environment | takes effect | what it is |\n"
                   "|---|---|---|---|---|---|\n";
        }
        out += pageRow(key, table);
    }
    return out;
}

} // namespace octostore::config
