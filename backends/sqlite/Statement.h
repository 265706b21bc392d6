// SPDX-License-Identifier: MIT
/// @file
/// A prepared statement of SQLite's own interface, for the few statements every commit runs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

struct sqlite3;
struct sqlite3_stmt;

namespace octostore::sqlite
{

/// Poco::Data takes about three times as long for a bound row (design: short commands), which is
/// why the statements behind every commit are these. Parameters and columns count from 1 and 0, as
/// in SQLite. Bound text and bytes must live until run(), or the last next().
/// Thread-safety: thread-compatible.
class Statement
{
public:
    Statement() = default;
    ~Statement();
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    /// Returns an SQLite code, as do the other members that return int.
    int prepare(sqlite3* connection, std::string_view sql);

    void bind(int parameter, std::int64_t value);
    void bind(int parameter, std::string_view text);
    void bindBytes(int parameter, std::span<const std::uint8_t> bytes);
    void bindNull(int parameter);

    /// Runs a statement that gives no rows and makes it ready for the next time.
    int run();
    /// SQLITE_ROW, SQLITE_DONE or an error. Call reset() when done: no read stays open.
    int next();
    void reset();

    std::int64_t integer(int column) const;
    std::string text(int column) const;
    bool isNull(int column) const;
    /// Valid until the next call of next() or reset(). Empty for NULL.
    std::span<const std::uint8_t> bytes(int column) const;

private:
    sqlite3_stmt* _statement = nullptr;
};

/// Prepares each from its text, up to the first that fails. Returns an SQLite code.
int prepareAll(sqlite3* connection,
               std::initializer_list<std::pair<Statement*, std::string_view>> all);

} // namespace octostore::sqlite
