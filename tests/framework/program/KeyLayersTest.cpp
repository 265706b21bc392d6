// SPDX-License-Identifier: MIT
// Goal: every key, of the server and of the plugins, can be set in every place, the places overrule
// one another in one order, and no key takes what is not of its type and range.
// Method: the whole key table, row by row; values are made from what the row says.
#include "Settings.h"
#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace octostore::program
{

namespace
{

using config::Key;
using config::KeyType;
using config::Layer;

/// A value as it is written, and as plugins get it.
struct Sample
{
    std::string written;
    std::string read;
};

Sample goodValue(const Key& key, std::size_t n)
{
    const std::string number = std::to_string(key.least + n);
    switch (key.type)
    {
    case KeyType::Boolean:
        return std::vector<Sample>{{"yes", "1"}, {"OFF", "0"}, {"1", "1"}, {"false", "0"}}[n % 4];
    case KeyType::Integer:
    case KeyType::Size:
        return {number, number};
    case KeyType::Duration:
        return {number + "ms", number};
    case KeyType::List:
        return {"a" + number + " , b", "a" + number + "|b|"};
    case KeyType::Text:
    case KeyType::Path:
    case KeyType::Secret:
        break;
    }
    const std::string text =
        key.choices.empty() ? "text " + number : key.choices[n % key.choices.size()];
    return {text, text};
}

std::string readValue(const config::Configuration& configuration, const Key& key,
                      const std::string& name)
{
    switch (key.type)
    {
    case KeyType::Boolean:
        return configuration.boolean(name) ? "1" : "0";
    case KeyType::Integer:
        return std::to_string(configuration.integer(name));
    case KeyType::Size:
        return std::to_string(configuration.bytes(name));
    case KeyType::Duration:
        return std::to_string(configuration.duration(name).count());
    case KeyType::List:
    {
        std::string all;
        for (const std::string& element : configuration.list(name))
            all += element + "|";
        return all;
    }
    case KeyType::Text:
    case KeyType::Path:
    case KeyType::Secret:
        break;
    }
    return configuration.text(name);
}

void addOutsideRange(const Key& key, const std::string& unit, std::vector<std::string>& bad)
{
    if (key.least > 0)
        bad.push_back(std::to_string(key.least - 1) + unit);
    if (key.most < UINT64_MAX)
        bad.push_back(std::to_string(key.most + 1) + unit);
    bad.push_back("18446744073709551616" + unit);
}

std::vector<std::string> badValues(const Key& key)
{
    std::vector<std::string> bad{"", "  "};
    switch (key.type)
    {
    case KeyType::Boolean:
        return {"", "perhaps", "2", "true false"};
    case KeyType::Integer:
        bad.insert(bad.end(), {"many", "-1", "1.5", "0x10", "10 000", "+5"});
        addOutsideRange(key, "", bad);
        return bad;
    case KeyType::Size:
        bad.insert(bad.end(), {"much", "-1KiB", "64KB", "64 KiB", "1.5MiB"});
        addOutsideRange(key, "", bad);
        return bad;
    case KeyType::Duration:
        bad.insert(bad.end(), {"soon", "30", "-5s", "5 s", "1.5h", "5sec"});
        addOutsideRange(key, "ms", bad);
        return bad;
    case KeyType::List:
        return {",", "a,,b", "a,"};
    case KeyType::Text:
    case KeyType::Path:
    case KeyType::Secret:
        break;
    }
    if (!key.choices.empty())
        bad.push_back("no such choice");
    return bad;
}

} // namespace

class KeyLayersTest : public testing::Test
{
protected:
    KeyLayersTest()
    {
        reset();
        table = Settings(sources, Settings::Log::Silent).keys();
    }

    void reset()
    {
        sources = {};
        sources.directory = directory.path().string();
        sources.systemFile = directory.file("none/octostore.properties");
        std::filesystem::remove(directory.file("octostore.properties"));
        std::filesystem::remove_all(directory.file("credentials"));
    }
    void inFile(const std::string& name, const std::string& text)
    {
        directory.write("octostore.properties", name + " = " + text + "\n");
    }

    /// What `key` has now, and who decided that.
    void expect(const Key& key, const std::string& name, const std::string& value, Layer layer,
                const std::string& place)
    {
        const auto loaded = config::Configuration::load(table, sources);
        for (const config::Problem& problem : loaded.problems)
            ADD_FAILURE() << problem.toString();
        EXPECT_EQ(readValue(*loaded.configuration, key, name), value);
        EXPECT_EQ(loaded.configuration->origin(name).layer, layer);
        EXPECT_EQ(loaded.configuration->origin(name).place, place);
        EXPECT_EQ(loaded.configuration->isSet(name), layer != Layer::Default);
    }

    /// One mistake, told with its place and its key.
    void expectRefused(const std::string& name, const std::string& place)
    {
        const auto loaded = config::Configuration::load(table, sources);
        ASSERT_EQ(loaded.problems.size(), 1U);
        EXPECT_EQ(loaded.problems[0].place, place);
        EXPECT_EQ(loaded.problems[0].key, name);
        EXPECT_FALSE(loaded.configuration->isSet(name)) << "the default counts";
    }

    /// A member of a family, else the key's own name.
    static std::string nameOf(const Key& key)
    {
        std::string name = key.name;
        if (config::isFamily(key))
            name.replace(name.find('*'), 1, "bob");
        return name;
    }

    const test::TemporaryDirectory directory;
    config::Sources sources;
    config::KeyTable table;
};

TEST_F(KeyLayersTest, TheTableHasTheKeysOfPluginsToo)
{
    EXPECT_NE(table.find("webhooks.retry"), nullptr);
    EXPECT_GT(table.keys().size(), config::serverKeys().keys().size());
}

TEST_F(KeyLayersTest, EveryKeyHasItsDefaultUntilItIsSet)
{
    const auto loaded = config::Configuration::load(table, sources);
    ASSERT_TRUE(loaded.problems.empty());
    for (const Key& key : table.keys())
    {
        SCOPED_TRACE(key.name);
        const std::string unset = readValue(*loaded.configuration, key, nameOf(key));
        EXPECT_FALSE(loaded.configuration->isSet(nameOf(key)));
        // Written down it means the same.
        reset();
        if (key.defaultValue.empty())
        {
            EXPECT_TRUE(unset.empty());
            continue;
        }
        inFile(nameOf(key), key.defaultValue);
        expect(key, nameOf(key), unset, Layer::File, directory.file("octostore.properties") + ":1");
    }
}

TEST_F(KeyLayersTest, FileCredentialEnvironmentAndCommandLineOverruleOneAnother)
{
    for (const Key& key : table.keys())
    {
        SCOPED_TRACE(key.name);
        reset();
        const std::string name = nameOf(key);
        std::size_t n = 0;
        inFile(name, goodValue(key, n).written);
        expect(key, name, goodValue(key, n).read, Layer::File,
               directory.file("octostore.properties") + ":1");
        if (!config::isFamily(key))
        {
            if (key.type == KeyType::Secret)
            {
                directory.write("credentials/" + name, goodValue(key, ++n).written + "\n");
                sources.environment["CREDENTIALS_DIRECTORY"] = directory.file("credentials");
                expect(key, name, goodValue(key, n).read, Layer::Credential,
                       "CREDENTIALS_DIRECTORY");
            }
            if (!key.legacyVariable.empty())
            {
                sources.environment[key.legacyVariable] = goodValue(key, ++n).written;
                expect(key, name, goodValue(key, n).read, Layer::Environment, key.legacyVariable);
            }
            const std::string variable = config::variableOf(name);
            sources.environment[variable] = goodValue(key, ++n).written;
            expect(key, name, goodValue(key, n).read, Layer::Environment, variable);
        }
        sources.settings = {name + "=" + goodValue(key, ++n).written};
        expect(key, name, goodValue(key, n).read, Layer::CommandLine, "--set");
    }
}

TEST_F(KeyLayersTest, ValuesOfAnotherTypeOrOutsideTheRangeAreRefused)
{
    for (const Key& key : table.keys())
    {
        for (const std::string& bad : badValues(key))
        {
            SCOPED_TRACE(key.name + " = " + bad);
            reset();
            sources.settings = {nameOf(key) + "=" + bad};
            expectRefused(nameOf(key), "--set");
        }
    }
}

TEST_F(KeyLayersTest, ABadValueIsRefusedWhereverItStands)
{
    for (const Key& key : table.keys())
    {
        SCOPED_TRACE(key.name);
        reset();
        const std::string bad = badValues(key).back();
        inFile(nameOf(key), bad);
        expectRefused(nameOf(key), directory.file("octostore.properties"));
        reset();
        if (config::isFamily(key))
            continue;
        sources.environment[config::variableOf(key.name)] = bad;
        expectRefused(key.name, config::variableOf(key.name));
    }
}

} // namespace octostore::program
