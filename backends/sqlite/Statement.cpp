// SPDX-License-Identifier: MIT
#include "Statement.h"

#include <sqlite3.h>

namespace octostore::sqlite
{

Statement::~Statement()
{
    sqlite3_finalize(_statement);
}

int Statement::prepare(sqlite3* connection, std::string_view sql)
{
    sqlite3_finalize(_statement);
    _statement = nullptr;
    return sqlite3_prepare_v3(connection, sql.data(), static_cast<int>(sql.size()),
                              SQLITE_PREPARE_PERSISTENT, &_statement, nullptr);
}

void Statement::bind(int parameter, std::int64_t value)
{
    sqlite3_bind_int64(_statement, parameter, value);
}

void Statement::bind(int parameter, std::string_view text)
{
    // An empty view may have no address, and SQLite would bind NULL for that.
    sqlite3_bind_text64(_statement, parameter, text.empty() ? "" : text.data(), text.size(),
                        SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bindBytes(int parameter, std::span<const std::uint8_t> bytes)
{
    sqlite3_bind_blob64(_statement, parameter, bytes.data(), bytes.size(), SQLITE_STATIC);
}

void Statement::bindNull(int parameter)
{
    sqlite3_bind_null(_statement, parameter);
}

int Statement::run()
{
    const int stepped = sqlite3_step(_statement);
    const int code = sqlite3_reset(_statement);
    return stepped == SQLITE_DONE || stepped == SQLITE_ROW ? SQLITE_OK : code;
}

int Statement::next()
{
    return sqlite3_step(_statement);
}

void Statement::reset()
{
    sqlite3_reset(_statement);
}

std::int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(_statement, column);
}

std::string Statement::text(int column) const
{
    const unsigned char* const text = sqlite3_column_text(_statement, column);
    const auto length = static_cast<std::size_t>(sqlite3_column_bytes(_statement, column));
    return text ? std::string(reinterpret_cast<const char*>(text), length) : std::string();
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(_statement, column) == SQLITE_NULL;
}

std::span<const std::uint8_t> Statement::bytes(int column) const
{
    const void* const bytes = sqlite3_column_blob(_statement, column);
    if (!bytes)
        return {};
    return {static_cast<const std::uint8_t*>(bytes),
            static_cast<std::size_t>(sqlite3_column_bytes(_statement, column))};
}

int prepareAll(sqlite3* connection,
               std::initializer_list<std::pair<Statement*, std::string_view>> all)
{
    for (const auto& [statement, sql] : all)
    {
        if (const int code = statement->prepare(connection, sql); code != SQLITE_OK)
            return code;
    }
    return SQLITE_OK;
}

} // namespace octostore::sqlite
