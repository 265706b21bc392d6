// SPDX-License-Identifier: MIT
/// @file
/// A directory that is gone after the test.
#pragma once

#include <octostore/base/Assert.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <stdlib.h>

namespace octostore::test
{

/// Thread-safety: thread-compatible.
class TemporaryDirectory
{
public:
    TemporaryDirectory()
    {
        std::string name = (std::filesystem::temp_directory_path() / "octostore-XXXXXX").string();
        OCTOSTORE_ASSERT(mkdtemp(name.data()) != nullptr);
        _path = name;
    }
    ~TemporaryDirectory()
    {
        std::error_code ignored;
        std::filesystem::remove_all(_path, ignored);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    const std::filesystem::path& path() const noexcept { return _path; }
    std::string file(std::string_view name) const { return (_path / name).string(); }
    /// Makes the directories on the way; only the owner may read the file. Returns its path.
    std::string write(std::string_view name, std::string_view content) const
    {
        const std::filesystem::path target = _path / name;
        std::filesystem::create_directories(target.parent_path());
        std::ofstream(target, std::ios::binary) << content;
        std::filesystem::permissions(target, std::filesystem::perms::owner_read |
                                                 std::filesystem::perms::owner_write);
        return target.string();
    }

private:
    std::filesystem::path _path;
};

} // namespace octostore::test
