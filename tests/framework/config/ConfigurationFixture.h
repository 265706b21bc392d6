// SPDX-License-Identifier: MIT
/// @file
/// Sources in a directory of their own, and what loading them gives.
#pragma once

#include <octostore/config/Configuration.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include <support/TemporaryDirectory.h>

namespace octostore::config
{

class ConfigurationFixture : public testing::Test
{
protected:
    ConfigurationFixture()
    {
        sources.directory = directory.path().string();
        sources.systemFile = directory.file("etc/octostore.properties");
    }

    static Key key(std::string name, KeyType type, std::string defaultValue = {},
                   std::uint64_t least = 0, std::uint64_t most = UINT64_MAX)
    {
        Key key;
        key.name = std::move(name);
        key.type = type;
        key.defaultValue = std::move(defaultValue);
        key.least = least;
        key.most = most;
        return key;
    }

    LoadedConfiguration load() { return Configuration::load(table, sources); }
    /// Loads what must be free of problems.
    std::unique_ptr<Configuration> loadGood()
    {
        LoadedConfiguration loaded = load();
        EXPECT_EQ(texts(loaded.problems), std::vector<std::string>());
        return std::move(loaded.configuration);
    }
    /// What is wrong, without the directory.
    std::vector<std::string> problems() { return texts(load().problems); }
    std::vector<std::string> warnings() { return texts(load().warnings); }

    std::vector<std::string> texts(const std::vector<Problem>& problems) const
    {
        const std::string prefix = directory.path().string() + "/";
        std::vector<std::string> result;
        for (const Problem& problem : problems)
        {
            std::string text = problem.toString();
            for (auto at = text.find(prefix); at != std::string::npos; at = text.find(prefix))
                text.erase(at, prefix.size());
            result.push_back(std::move(text));
        }
        return result;
    }

    test::TemporaryDirectory directory;
    Sources sources;
    KeyTable table;
};

} // namespace octostore::config
