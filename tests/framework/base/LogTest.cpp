// SPDX-License-Identifier: MIT
#include <octostore/base/Json.h>
#include <octostore/base/Log.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace octostore
{
namespace
{

using testing::EndsWith;
using testing::MatchesRegex;

class LogTest : public testing::Test
{
protected:
    Logger open(LogFormat format, LogLevel level = LogLevel::Debug)
    {
        sink = LogSink::toStream(out, format, level);
        return sink->logger("http");
    }
    std::string line()
    {
        std::string text = out.str();
        out.str("");
        if (!text.empty() && text.back() == '\n')
            text.pop_back();
        return text;
    }

    std::ostringstream out;
    std::shared_ptr<LogSink> sink;
};

TEST_F(LogTest, ATextLineHasTimeLevelLoggerMessageAndFields)
{
    const Logger log = open(LogFormat::Text);
    log.info("request answered", {{"status", 200},
                                  {"route", "/locks"},
                                  {"cached", false},
                                  {"seconds", 0.25},
                                  {"count", std::uint64_t{7}}});
    EXPECT_THAT(line(), MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.]"
                                     "[0-9]{3}Z info  http  request answered status=200 "
                                     "route=/locks cached=false seconds=0.25 count=7"));
    log.named("sqlite").warning("slow");
    EXPECT_THAT(line(), EndsWith("Z warn  sqlite  slow"));
    log.error("broken");
    EXPECT_THAT(line(), EndsWith("Z error http  broken"));
}

TEST_F(LogTest, TextValuesThatCouldBeMisreadAreQuoted)
{
    const Logger log = open(LogFormat::Text);
    log.info("m", {{"a", "two words"}, {"b", ""}, {"c", "say \"hi\""}, {"d", "x=y"}});
    EXPECT_THAT(line(), EndsWith(R"(  m a="two words" b="" c="say \"hi\"" d="x=y")"));
}

TEST_F(LogTest, NobodyCanForgeALineOrDriveATerminal)
{
    const Logger log = open(LogFormat::Text);
    log.info("one\ntwo\x1b[31m", {{"name", "a\nb\r\x7f"}});
    EXPECT_THAT(line(), EndsWith(R"(  one\ntwo\x1b[31m name=a\nb\x0d\x7f)"));
}

TEST_F(LogTest, BrokenUtf8IsShownAsItsBytes)
{
    const Logger text = open(LogFormat::Text);
    text.info("caf\xC3\xA9 \xFF", {{"name", "\xC3"}});
    EXPECT_THAT(line(), EndsWith("  caf\xC3\xA9 \\xff name=\\xc3"));

    const Logger json = open(LogFormat::Json);
    json.info("caf\xC3\xA9 \xFF", {{"name", "\xC3"}});
    const auto object = readJson(line());
    ASSERT_TRUE(object) << object.error().message;
    EXPECT_EQ(*object->at("msg").asString(), "caf\xC3\xA9 \\xff");
    EXPECT_EQ(*object->at("name").asString(), "\\xc3");
}

TEST_F(LogTest, AJsonLineHasTypedMembers)
{
    const Logger log = open(LogFormat::Json);
    log.warning("it \"happened\"\nagain",
                {{"n", -5}, {"d", 1.5}, {"b", true}, {"s", "x"}, {"level", "mine"}});
    const std::string text = line();
    EXPECT_EQ(text.find('\n'), std::string::npos);
    const auto object = readJson(text);
    ASSERT_TRUE(object) << object.error().message << text;
    EXPECT_THAT(*object->at("ts").asString(), MatchesRegex("....-..-..T..:..:..[.]...Z"));
    EXPECT_EQ(*object->at("level").asString(), "warn");
    EXPECT_EQ(*object->at("logger").asString(), "http");
    EXPECT_EQ(*object->at("msg").asString(), "it \"happened\"\nagain");
    EXPECT_EQ(*object->at("n").asInteger(), -5);
    EXPECT_EQ(*object->at("d").asDouble(), 1.5);
    EXPECT_EQ(*object->at("b").asBool(), true);
    EXPECT_EQ(*object->at("s").asString(), "x");
    EXPECT_EQ(*object->at("level_").asString(), "mine");
}

TEST_F(LogTest, PercentSignsAndBracesInAMessageStay)
{
    const Logger log = open(LogFormat::Text);
    log.info("100 % {} {0} %v");
    EXPECT_THAT(line(), EndsWith("  100 % {} {0} %v"));
}

TEST_F(LogTest, LinesBelowTheLevelAreNotWritten)
{
    const Logger log = open(LogFormat::Text, LogLevel::Warning);
    log.info("no");
    EXPECT_EQ(line(), "");
    EXPECT_FALSE(log.enabled(LogLevel::Info));
    EXPECT_TRUE(log.enabled(LogLevel::Warning));
    sink->setLevel(LogLevel::Info);
    log.debug("no");
    log.info("yes");
    EXPECT_THAT(line(), EndsWith("  yes"));
    sink->setLevel(LogLevel::Off);
    log.error("no");
    EXPECT_EQ(line(), "");
    EXPECT_FALSE(log.enabled(LogLevel::Off));
}

TEST_F(LogTest, LinesAreCountedByLevelAndOnlyThoseThatAreWritten)
{
    const Logger log = open(LogFormat::Json, LogLevel::Info);
    log.debug("no");
    log.info("yes");
    log.named("other").error("yes");
    log.error("yes");
    EXPECT_EQ(sink->written(LogLevel::Debug), 0U);
    EXPECT_EQ(sink->written(LogLevel::Info), 1U);
    EXPECT_EQ(sink->written(LogLevel::Warning), 0U);
    EXPECT_EQ(sink->written(LogLevel::Error), 2U);
}

TEST_F(LogTest, ADefaultMadeLoggerWritesNothing)
{
    const Logger log;
    log.error("nowhere");
    log.named("x").error("nowhere");
    EXPECT_FALSE(log.enabled(LogLevel::Error));
}

TEST_F(LogTest, LevelsAreReadInAnyCase)
{
    EXPECT_EQ(*parseLogLevel("trace"), LogLevel::Trace);
    EXPECT_EQ(*parseLogLevel("DEBUG"), LogLevel::Debug);
    EXPECT_EQ(*parseLogLevel("info"), LogLevel::Info);
    EXPECT_EQ(*parseLogLevel("warn"), LogLevel::Warning);
    EXPECT_EQ(*parseLogLevel("Warning"), LogLevel::Warning);
    EXPECT_EQ(*parseLogLevel("error"), LogLevel::Error);
    EXPECT_EQ(*parseLogLevel("off"), LogLevel::Off);
    EXPECT_EQ(parseLogLevel("verbose").error().code, ErrorCode::Configuration);
    EXPECT_FALSE(parseLogLevel(""));
}

} // namespace
} // namespace octostore
