// SPDX-License-Identifier: MIT
#include <octostore/config/PropertiesText.h>
#include <octostore/config/SampleFile.h>

#include <gtest/gtest.h>

namespace octostore::config
{
namespace
{

class SampleFileTest : public testing::Test
{
protected:
    /// The sample with its settings no longer commented out.
    static std::string withSettings(std::string text)
    {
        for (auto at = text.find("\n#"); at != std::string::npos; at = text.find("\n#", at + 1))
        {
            const bool goesOn = at > 0 && text[at - 1] == '\\';
            if (goesOn || (text[at + 2] >= 'a' && text[at + 2] <= 'z'))
                text.erase(at + 1, 1);
        }
        return text;
    }
};

TEST_F(SampleFileTest, ItSetsNothing)
{
    const PropertiesText parsed = parseProperties(sampleFile(serverKeys()), "sample");
    EXPECT_TRUE(parsed.properties.empty());
    EXPECT_TRUE(parsed.problems.empty());
}

TEST_F(SampleFileTest, EveryKeyStandsThereWithItsDefault)
{
    const KeyTable table = serverKeys();
    const PropertiesText parsed = parseProperties(withSettings(sampleFile(table)), "sample");
    ASSERT_TRUE(parsed.problems.empty()) << parsed.problems[0].toString();
    ASSERT_EQ(parsed.properties.size(), table.keys().size());
    for (std::size_t i = 0; i < table.keys().size(); ++i)
    {
        EXPECT_EQ(table.find(parsed.properties[i].key), &table.keys()[i])
            << parsed.properties[i].key;
        EXPECT_EQ(parsed.properties[i].value, table.keys()[i].defaultValue);
    }
}

TEST_F(SampleFileTest, LinesAreAtMostAHundredColumnsWide)
{
    std::istringstream lines(sampleFile(serverKeys()));
    for (std::string line; std::getline(lines, line);)
        EXPECT_LE(line.size(), 100U) << line;
}

} // namespace
} // namespace octostore::config
