// SPDX-License-Identifier: MIT
/// @file
/// Structured logging: a message that says what happened, and fields that say to what.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Id.h>
#include <octostore/base/Result.h>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

namespace octostore
{

/// One named value of a log line. Secrets are never passed to the log; there is no way to mask.
struct LogField
{
    template <std::integral T>
    LogField(std::string_view fieldName, T fieldValue)
        : name(fieldName), value(static_cast<std::int64_t>(fieldValue))
    {
    }
    LogField(std::string_view fieldName, std::string_view fieldValue)
        : name(fieldName), value(std::string(fieldValue))
    {
    }
    LogField(std::string_view fieldName, const char* fieldValue)
        : name(fieldName), value(std::string(fieldValue))
    {
    }
    LogField(std::string_view fieldName, double fieldValue) : name(fieldName), value(fieldValue) {}
    LogField(std::string_view fieldName, bool fieldValue) : name(fieldName), value(fieldValue) {}

    std::string_view name;
    std::variant<std::string, std::int64_t, double, bool> value;
};

enum class LogLevel
{
    Trace,
    Debug,
    Info,
    Warning,
    Error,
    Off
};

/// Text for a person on a terminal, or one JSON object a line for a machine.
enum class LogFormat
{
    Text,
    Json
};

class LogSink;

/// Writes lines under one name ("http", "sqlite", ...). A default-made one writes nothing.
/// Thread-safety: thread-safe. Never blocks longer than one write to standard error.
class OCTOSTORE_API Logger
{
public:
    using Fields = std::initializer_list<LogField>;

    Logger() = default;
    /// A logger that writes to the same place under another name.
    Logger named(std::string_view name) const;
    bool enabled(LogLevel level) const noexcept;

    void debug(std::string_view message, Fields fields = {}) const;
    void info(std::string_view message, Fields fields = {}) const;
    void warning(std::string_view message, Fields fields = {}) const;
    void error(std::string_view message, Fields fields = {}) const;

private:
    friend class LogSink;
    Logger(std::shared_ptr<LogSink> sink, std::string name);
    void write(LogLevel level, std::string_view message, Fields fields) const;

    std::shared_ptr<LogSink> _sink;
    std::string _name;
};

/// Where the lines go; made once by the program. Thread-safety: thread-safe.
class OCTOSTORE_API LogSink : public std::enable_shared_from_this<LogSink>
{
public:
    /// Lines go to `out` (standard error, or a stream of a test) through spdlog.
    static std::shared_ptr<LogSink> open(LogFormat format, LogLevel level);
    static std::shared_ptr<LogSink> toStream(std::ostream& out, LogFormat format, LogLevel level);
    ~LogSink();

    Logger logger(std::string_view name);
    void setLevel(LogLevel level) noexcept;
    /// Lines of `level` that were written since the sink was opened.
    std::uint64_t written(LogLevel level) const noexcept;

private:
    friend class Logger;
    struct State;
    explicit LogSink(std::unique_ptr<State> state);

    std::unique_ptr<State> _state;
};

/// trace, debug, info, warn or warning, error, off. Errors: Configuration.
OCTOSTORE_API Result<LogLevel> parseLogLevel(std::string_view text);

} // namespace octostore
