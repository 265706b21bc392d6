// SPDX-License-Identifier: MIT
/// @file
/// What the tests of the client commands share.
#pragma once

#include "ClientProcess.h"
#include "support/ScriptedServer.h"

#include <octostore/base/Json.h>

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace octostore::test
{

/// A directory of its own for each test.
class CliTest : public testing::Test
{
protected:
    void SetUp() override
    {
        std::string name = (std::filesystem::temp_directory_path() / "octostore-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        _directory = name;
    }
    void TearDown() override
    {
        // What a killed client leaves to its guardian may disappear under our hands.
        std::error_code problem;
        for (int i = 0; i < 10 && std::filesystem::exists(_directory); ++i)
            std::filesystem::remove_all(_directory, problem);
    }

    std::string path(const std::string& name) const { return (_directory / name).string(); }
    std::string write(const std::string& name, const std::string& text) const
    {
        std::ofstream(path(name)) << text;
        std::filesystem::permissions(path(name), std::filesystem::perms::owner_read |
                                                     std::filesystem::perms::owner_write);
        return path(name);
    }
    /// Waits for a file that a command writes; false: it does not come.
    bool appears(const std::string& name) const
    {
        const auto until = std::chrono::steady_clock::now() + ClientProcess::patience;
        while (!std::filesystem::exists(path(name)))
        {
            if (std::chrono::steady_clock::now() > until)
                return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return true;
    }
    static std::string read(const std::string& file)
    {
        std::ifstream stream(file);
        std::stringstream text;
        text << stream.rdbuf();
        return text.str();
    }

    std::filesystem::path _directory;
};

/// A member of an event line as text; empty when it is not there.
inline std::string member(const std::string& line, const std::string& name)
{
    const auto object = readJson(line);
    if (!object || object->count(name) == 0)
        return {};
    const JsonValue& value = object->at(name);
    if (const std::string* text = value.asString())
        return *text;
    return value.asInteger() != nullptr ? std::to_string(*value.asInteger()) : "";
}

} // namespace octostore::test
