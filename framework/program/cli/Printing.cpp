// SPDX-License-Identifier: MIT
#include "Printing.h"

#include <octostore/base/Text.h>

#include <algorithm>

namespace octostore::program
{

namespace
{

using Row = std::vector<std::string>;

void print(std::string& text, const Row& row, const std::vector<std::size_t>& widths)
{
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
    {
        line += row[i];
        if (i + 1 < row.size())
            line.append(widths[i] - row[i].size() + 2, ' ');
    }
    text += line + "\n";
}

} // namespace

std::string toText(const JsonValue& value)
{
    if (const std::string* text = value.asString())
        return printable(*text);
    return value.isNull() ? "-" : toJson(value);
}

std::string describe(const JsonValue::Object& object)
{
    std::string text;
    for (const auto& [key, value] : object)
        text += key + ": " + toText(value) + "\n";
    return text;
}

std::string table(const std::vector<Column>& columns, const JsonValue::Array& rows)
{
    if (rows.empty())
        return "none\n";
    std::vector<Row> lines(1);
    for (const Column& column : columns)
        lines.front().emplace_back(column.heading);
    for (const JsonValue& row : rows)
    {
        Row line;
        const JsonValue::Object* object = row.asObject();
        for (const Column& column : columns)
        {
            const auto found =
                object ? object->find(column.member) : JsonValue::Object::const_iterator{};
            line.push_back(object && found != object->end() ? toText(found->second) : "-");
        }
        lines.push_back(std::move(line));
    }
    std::vector<std::size_t> widths(columns.size(), 0);
    for (const Row& line : lines)
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], line[i].size());
    std::string text;
    for (const Row& line : lines)
        print(text, line, widths);
    return text;
}

} // namespace octostore::program
