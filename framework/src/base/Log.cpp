// SPDX-License-Identifier: MIT
#include "Hex.h"
#include "Utf8.h"

#include <octostore/base/Json.h>
#include <octostore/base/Log.h>
#include <octostore/base/Text.h>

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace octostore
{

namespace
{

spdlog::level::level_enum toSpdlog(LogLevel level) noexcept
{
    switch (level)
    {
    case LogLevel::Trace:
        return spdlog::level::trace;
    case LogLevel::Debug:
        return spdlog::level::debug;
    case LogLevel::Info:
        return spdlog::level::info;
    case LogLevel::Warning:
        return spdlog::level::warn;
    case LogLevel::Error:
        return spdlog::level::err;
    case LogLevel::Off:
        return spdlog::level::off;
    }
    return spdlog::level::off;
}

std::string_view levelName(LogLevel level) noexcept
{
    constexpr std::array<std::string_view, 6> names{"trace", "debug", "info",
                                                    "warn",  "error", "off"};
    return names[static_cast<std::size_t>(level)];
}

void appendByte(std::string& out, unsigned char byte)
{
    out += "\\x";
    out += lowerHexDigits[byte >> 4U];
    out += lowerHexDigits[byte & 0x0FU];
}

/// Shows bytes that are no UTF-8 as \xff, so that nothing is lost and a reader is not confused.
std::string withoutBrokenUtf8(std::string_view text)
{
    std::string out;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t length = utf8SequenceLength(text, at);
        if (length == 0)
            appendByte(out, static_cast<unsigned char>(text[at]));
        else
            out.append(text, at, length);
        at += std::max<std::size_t>(length, 1);
    }
    return out;
}

bool isControl(unsigned char byte) noexcept
{
    return byte < 0x20 || byte == 0x7F;
}

/// One line whatever a client put into the text: nobody can forge lines or drive a terminal.
std::string onOneLine(std::string_view text)
{
    std::string out;
    for (const char c : withoutBrokenUtf8(text))
    {
        if (c == '\n')
            out += "\\n";
        else if (isControl(static_cast<unsigned char>(c)))
            appendByte(out, static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out;
}

std::string quotedIfNeeded(std::string_view text)
{
    std::string line = onOneLine(text);
    if (!line.empty() && line.find_first_of(" \"=") == std::string::npos)
        return line;
    std::string out = "\"";
    for (const char c : line)
    {
        if (c == '"')
            out += '\\';
        out += c;
    }
    return out + '"';
}

std::string valueAsText(const LogField& field)
{
    if (const auto* text = std::get_if<std::string>(&field.value))
        return quotedIfNeeded(*text);
    JsonWriter json;
    std::visit([&json](const auto& value) { json.value(value); }, field.value);
    return json.take();
}

std::string textLine(LogLevel level, std::string_view name, std::string_view message,
                     Logger::Fields fields)
{
    std::string line(levelName(level));
    line.resize(6, ' ');
    line.append(name).append("  ").append(onOneLine(message));
    for (const LogField& field : fields)
        line.append(" ").append(field.name).append("=").append(valueAsText(field));
    return line;
}

bool isReserved(std::string_view name) noexcept
{
    return name == "ts" || name == "level" || name == "logger" || name == "msg";
}

/// The members behind `ts`, with the closing brace.
std::string jsonLine(LogLevel level, std::string_view name, std::string_view message,
                     Logger::Fields fields)
{
    JsonWriter json;
    json.beginObject()
        .field("level", levelName(level))
        .field("logger", name)
        .field("msg", withoutBrokenUtf8(message));
    for (const LogField& field : fields)
    {
        json.key(isReserved(field.name) ? std::string(field.name) + '_' : std::string(field.name));
        if (const auto* text = std::get_if<std::string>(&field.value))
            json.value(withoutBrokenUtf8(*text));
        else
            std::visit([&json](const auto& value) { json.value(value); }, field.value);
    }
    return json.endObject().take().substr(1);
}

/// Counts lines by level; writes nothing. Thread-safety: thread-safe, lock-free.
class CountingSink final : public spdlog::sinks::sink
{
public:
    void log(const spdlog::details::log_msg& line) override
    {
        _lines[static_cast<std::size_t>(line.level)].fetch_add(1, std::memory_order_relaxed);
    }
    void flush() override {}
    void set_pattern(const std::string&) override {}
    void set_formatter(std::unique_ptr<spdlog::formatter>) override {}

    std::uint64_t lines(spdlog::level::level_enum level) const noexcept
    {
        return _lines[static_cast<std::size_t>(level)].load(std::memory_order_relaxed);
    }

private:
    std::array<std::atomic<std::uint64_t>, spdlog::level::n_levels> _lines{};
};

} // namespace

struct LogSink::State
{
    State(LogFormat lineFormat, const spdlog::sink_ptr& sink, LogLevel level)
        : format(lineFormat),
          counted(std::make_shared<CountingSink>()),
          out("octostore", {sink, counted})
    {
        constexpr const char* text = "%Y-%m-%dT%H:%M:%S.%eZ %v";
        constexpr const char* json = R"({"ts":"%Y-%m-%dT%H:%M:%S.%eZ",%v)";
        out.set_pattern(format == LogFormat::Text ? text : json, spdlog::pattern_time_type::utc);
        out.set_level(toSpdlog(level));
        out.flush_on(spdlog::level::trace);
    }

    const LogFormat format;
    const std::shared_ptr<CountingSink> counted;
    spdlog::logger out; // not in spdlog's registry: there are no singletons here
};

LogSink::LogSink(std::unique_ptr<State> state) : _state(std::move(state)) {}

LogSink::~LogSink() = default;

std::shared_ptr<LogSink> LogSink::open(LogFormat format, LogLevel level)
{
    auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    return std::shared_ptr<LogSink>(new LogSink(std::make_unique<State>(format, sink, level)));
}

std::shared_ptr<LogSink> LogSink::toStream(std::ostream& out, LogFormat format, LogLevel level)
{
    auto sink = std::make_shared<spdlog::sinks::ostream_sink_mt>(out);
    return std::shared_ptr<LogSink>(new LogSink(std::make_unique<State>(format, sink, level)));
}

Logger LogSink::logger(std::string_view name)
{
    return Logger(shared_from_this(), std::string(name));
}

void LogSink::setLevel(LogLevel level) noexcept
{
    _state->out.set_level(toSpdlog(level));
}

std::uint64_t LogSink::written(LogLevel level) const noexcept
{
    return _state->counted->lines(toSpdlog(level));
}

Logger::Logger(std::shared_ptr<LogSink> sink, std::string name)
    : _sink(std::move(sink)), _name(std::move(name))
{
}

Logger Logger::named(std::string_view name) const
{
    return Logger(_sink, std::string(name));
}

bool Logger::enabled(LogLevel level) const noexcept
{
    return _sink != nullptr && level != LogLevel::Off &&
           _sink->_state->out.should_log(toSpdlog(level));
}

void Logger::write(LogLevel level, std::string_view message, Fields fields) const
{
    if (!enabled(level))
        return;
    LogSink::State& state = *_sink->_state;
    const auto format = state.format == LogFormat::Text ? textLine : jsonLine;
    const std::string line = format(level, _name, message, fields);
    state.out.log(toSpdlog(level), spdlog::string_view_t(line));
}

void Logger::debug(std::string_view message, Fields fields) const
{
    write(LogLevel::Debug, message, fields);
}

void Logger::info(std::string_view message, Fields fields) const
{
    write(LogLevel::Info, message, fields);
}

void Logger::warning(std::string_view message, Fields fields) const
{
    write(LogLevel::Warning, message, fields);
}

void Logger::error(std::string_view message, Fields fields) const
{
    write(LogLevel::Error, message, fields);
}

Result<LogLevel> parseLogLevel(std::string_view text)
{
    constexpr std::array levels{LogLevel::Trace,   LogLevel::Debug, LogLevel::Info,
                                LogLevel::Warning, LogLevel::Error, LogLevel::Off};
    for (const LogLevel level : levels)
    {
        if (equalIgnoringCase(text, levelName(level)))
            return level;
    }
    if (equalIgnoringCase(text, "warning"))
        return LogLevel::Warning;
    return Error{ErrorCode::Configuration,
                 "`" + std::string(text) +
                     "` is no log level; use trace, debug, info, warn, error or off"};
}

} // namespace octostore
