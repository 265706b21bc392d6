// SPDX-License-Identifier: MIT
#include "Placement.h"

#include <octostore/base/ErrnoText.h>
#include <octostore/base/Files.h>

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

namespace octostore::sqlite
{

namespace
{

namespace fs = std::filesystem;

bool exists(const std::string& file)
{
    std::error_code ignored;
    return fs::exists(file, ignored);
}

/// Renames files, and can take it back.
class Moves
{
public:
    explicit Moves(const FailPoint& failPoint) : _failPoint(failPoint) {}

    Result<void> move(std::string_view step, const std::string& from, const std::string& to)
    {
        if (auto renamed = rename(step, from, to); !renamed)
            return Error{renamed.error().code, "Renaming " + from + " to " + to +
                                                   " failed: " + renamed.error().message + "."};
        _done.emplace_back(from, to);
        return {};
    }
    /// `reason`, and where the files are now.
    Error undo(Error reason)
    {
        for (; !_done.empty(); _done.pop_back())
        {
            const auto& [from, to] = _done.back();
            if (auto back = rename("put-back", to, from); !back)
                reason.message.append(" ")
                    .append(from)
                    .append(" is now ")
                    .append(to)
                    .append(" and could not be renamed back: " + back.error().message + ".");
        }
        return reason;
    }

private:
    Result<void> rename(std::string_view step, const std::string& from, const std::string& to) const
    {
        if (const int failure = _failPoint ? _failPoint(step, nullptr) : 0; failure != 0)
            return Error{ErrorCode::Unavailable, errnoText(failure)};
        return renameToFree(from, to);
    }

    const FailPoint& _failPoint;
    std::vector<std::pair<std::string, std::string>> _done;
};

std::string freeNameFor(const std::string& database)
{
    std::string aside = database + ".replaced";
    for (int i = 1; isThere(aside); ++i)
        aside = database + ".replaced-" + std::to_string(i);
    return aside;
}

/// The database first: one that cannot be renamed keeps its log, and with it its last commits.
Result<void> putAside(Moves& moves, const std::string& database, const std::string& aside)
{
    if (exists(database))
        if (auto moved = moves.move("put-aside", database, aside); !moved)
            return moved;
    if (exists(database + "-wal"))
        if (auto moved = moves.move("put-aside-log", database + "-wal", aside + "-wal"); !moved)
            return moved;
    ::unlink((database + "-shm").c_str()); // made anew from the log
    return {};
}

} // namespace

bool isThere(const std::string& database)
{
    return exists(database) || exists(database + "-wal");
}

Result<std::string> placeDatabase(const std::string& file, const std::string& database,
                                  const FailPoint& failPoint)
{
    Moves moves(failPoint);
    std::string aside;
    if (isThere(database))
    {
        aside = freeNameFor(database);
        if (auto put = putAside(moves, database, aside); !put)
            return moves.undo(put.error());
    }
    // No file that has come meanwhile loses its name.
    if (auto named = moves.move("name", file, database); !named)
        return moves.undo(named.error());
    if (auto synced = syncFolderOf(database); !synced)
        return moves.undo(synced.error());
    return aside;
}

} // namespace octostore::sqlite
