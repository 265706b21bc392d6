// SPDX-License-Identifier: MIT
#include "HoldReport.h"

#include "ClientOptions.h"

#include <octostore/base/Text.h>

#include <utility>

namespace octostore::program
{

namespace
{

using client::Failure;
using client::HoldKind;
using client::HoldSubject;
using client::LeaseFacts;

/// `message`, and the request it was about.
std::string describe(const Failure& failure)
{
    std::string text = failure.message.empty() ? failure.code : failure.message;
    if (!failure.requestId.empty())
        text += " (" + failure.requestId + ")";
    return text;
}

constexpr const char* ifLost =
    "somebody else may have it now; nothing must be done in its name any more";
constexpr const char* ifUncertain =
    "it could not be confirmed in time; nothing must be done in its name any more";

class JsonReport final : public HoldReport
{
public:
    JsonReport(HoldSubject subject, LineOutput& output, const Clock& clock)
        : _events(std::move(subject), clock), _output(output)
    {
    }

    void waiting(const Refused& refused) override
    {
        _output.line(_events.waiting(refused.retryAfter, refused.reason));
    }
    void retrying(const Failure& failure, Milliseconds pause) override
    {
        _output.line(_events.waiting(pause, failure.code));
    }
    void won(const LeaseFacts& lease, BootTime deadline) override
    {
        _output.line(_events.won(lease, deadline));
    }
    void renewed(const LeaseFacts& lease, BootTime deadline) override
    {
        _output.line(_events.renewed(lease, deadline));
    }
    void released(std::uint64_t term, const std::string& reason) override
    {
        _output.line(_events.released(term, reason));
    }
    void lost(const LeaseFacts& lease, const std::string& reason) override
    {
        _output.line(_events.lost(lease, reason));
        complain("lost (" + reason + "): " + ifLost);
    }
    void uncertain(const LeaseFacts& lease, const std::string& reason) override
    {
        _output.line(_events.uncertain(lease, reason));
        complain("uncertain (" + reason + "): " + ifUncertain);
    }
    void failed(const std::string& reason, const std::string& message) override
    {
        _output.line(_events.error(reason));
        complain(message);
    }

private:
    client::HoldEvents _events;
    LineOutput& _output;
};

class TextReport final : public HoldReport
{
public:
    TextReport(HoldSubject subject, LineOutput& output, TextStyle style)
        : _subject(std::move(subject)),
          _output(output),
          _style(style),
          _colours(style == TextStyle::Live && variable("NO_COLOR").empty())
    {
    }

    void waiting(const Refused& refused) override
    {
        std::string text = "waiting for " + _subject.name;
        if (refused.holder.empty())
            text += ": " + refused.reason;
        else
            text += (isElection() ? ", led by " : ", held by ") + refused.holder;
        if (!refused.until.empty())
            text += " until " + refused.until;
        say(text, yellow);
    }
    void retrying(const Failure& failure, Milliseconds pause) override
    {
        say("waiting for " + _subject.name + ": " + describe(failure) + "; trying again in " +
                std::to_string(pause.count()) + " ms",
            yellow);
    }
    void won(const LeaseFacts& lease, BootTime deadline) override
    {
        _lease = lease;
        _deadline = deadline;
        say((isElection() ? "leader of " : "holder of ") + _subject.name + ", term " +
                std::to_string(lease.term) + ", until " + lease.expiresAt,
            green);
    }
    void renewed(const LeaseFacts& lease, BootTime deadline) override
    {
        _lease = lease;
        _deadline = deadline;
        if (_style == TextStyle::Full)
            say("renewed " + _subject.name + ", until " + lease.expiresAt, "");
    }
    void released(std::uint64_t term, const std::string& reason) override
    {
        end("released " + _subject.name + ", term " + std::to_string(term) + " (" + reason + ")",
            green);
    }
    void lost(const LeaseFacts& lease, const std::string& reason) override
    {
        end("lost " + _subject.name + ", term " + std::to_string(lease.term) + " (" + reason +
                "): " + ifLost,
            red);
    }
    void uncertain(const LeaseFacts& lease, const std::string& reason) override
    {
        end("uncertain about " + _subject.name + ", term " + std::to_string(lease.term) + " (" +
                reason + "): " + ifUncertain,
            red);
    }
    void failed(const std::string& /*reason*/, const std::string& message) override
    {
        complain(message);
    }
    void tick(BootTime now) override
    {
        if (_style != TextStyle::Live || !_deadline)
            return;
        // A renewal comes long before: what is shown is how long the work may go on without one.
        const auto left = std::to_string(wholeMilliseconds(*_deadline - now) / 1000);
        _output.raw("\r\033[K" +
                    coloured((isElection() ? "leader of " : "holder of ") + _subject.name +
                                 "  term " + std::to_string(_lease.term) + "  " + left + " s",
                             green));
        _live = true;
        _nextTick = now + std::chrono::seconds(1);
    }
    std::optional<BootTime> next() const override
    {
        if (_style != TextStyle::Live || !_deadline)
            return std::nullopt;
        return _nextTick;
    }

private:
    static constexpr const char* red = "\033[31m";
    static constexpr const char* green = "\033[32m";
    static constexpr const char* yellow = "\033[33m";

    bool isElection() const noexcept { return _subject.kind == HoldKind::Election; }
    std::string coloured(const std::string& text, const std::string& colour) const
    {
        return _colours && !colour.empty() ? colour + text + "\033[0m" : text;
    }
    void say(const std::string& text, const std::string& colour)
    {
        if (_live)
            _output.raw("\r\033[K");
        _live = false;
        _output.line(coloured(printable(text), colour));
    }
    void end(const std::string& text, const std::string& colour)
    {
        _deadline.reset();
        say(text, colour);
    }

    const HoldSubject _subject;
    LineOutput& _output;
    const TextStyle _style;
    const bool _colours;
    LeaseFacts _lease;
    std::optional<BootTime> _deadline;
    BootTime _nextTick{};
    bool _live = false;
};

} // namespace

HoldReport::~HoldReport() = default;

std::unique_ptr<HoldReport> makeJsonReport(HoldSubject subject, LineOutput& output,
                                           const Clock& clock)
{
    return std::make_unique<JsonReport>(std::move(subject), output, clock);
}

std::unique_ptr<HoldReport> makeTextReport(HoldSubject subject, LineOutput& output, TextStyle style)
{
    return std::make_unique<TextReport>(std::move(subject), output, style);
}

} // namespace octostore::program
