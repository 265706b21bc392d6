// SPDX-License-Identifier: MIT
#include "Calls.h"
#include "ExitCode.h"
#include "LineOutput.h"
#include "OneShot.h"
#include "Printing.h"
#include "Subject.h"
#include "Wakeups.h"

#include <octostore/client/Backoff.h>
#include <octostore/client/EventStreamReader.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <optional>
#include <thread>

#include <unistd.h>

namespace octostore::program
{

namespace
{

using client::HoldKind;

constexpr Milliseconds outputPatience{500};
constexpr unsigned jitterPercent = 20;

/// What the thread that reads the stream tells. Shared: the thread may outlive the loop.
struct StreamState
{
    explicit StreamState(std::shared_ptr<const WakeSignal> signal) : wake(std::move(signal)) {}

    void tell(bool frame, std::optional<client::HttpOutcome> end)
    {
        {
            MutexLock lock(mutex);
            changed = changed || frame;
            if (end)
                ended = std::move(end);
        }
        wake->raise();
    }

    const std::shared_ptr<const WakeSignal> wake;
    client::Cancellation cancellation;
    Mutex mutex;
    bool changed OCTOSTORE_GUARDED_BY(mutex) = false;
    std::optional<client::HttpOutcome> ended OCTOSTORE_GUARDED_BY(mutex);
    client::EventStreamReader reader; ///< of the thread while it runs, then ours
};

/// Every frame is only a hint that the status is to be read: what it says may be old already.
class WatchLoop
{
public:
    explicit WatchLoop(Subject& subject)
        : _subject(subject),
          _wakeups({SIGINT, SIGTERM, SIGHUP}),
          _calls(subject.http, _clock, _wakeups.notifier()),
          _state(std::make_shared<StreamState>(_wakeups.notifier())),
          _events({subject.kind, subject.name, subject.options.server.text(), ""}, _clock)
    {
    }

    int run()
    {
        while (!_exitCode)
        {
            advance(_clock.bootTime());
            if (_exitCode)
                break;
            const auto happened = _wakeups.wait(next(), _output.wanted());
            for (const int number : happened.signals)
                _exitCode = exitOfSignal(number);
            _output.flush();
            takeStream(_clock.bootTime());
            for (const Completion& completion : _calls.take())
                takeStatus(completion);
            if (!_exitCode && (happened.outputClosed || _output.broken()))
                _exitCode = _output.lost() ? outputLost() : ExitOk;
        }
        _output.finish(outputPatience);
        return *_exitCode;
    }

private:
    void advance(BootTime now)
    {
        if (!_streaming && now >= _connectAt)
            connect();
        if (_dirty && !_status && now >= _statusAt)
        {
            _dirty = false;
            _status = _calls.start(_subject.statusRequest(), _subject.options.requestTimeout);
        }
    }

    std::optional<BootTime> next() const
    {
        std::optional<BootTime> next = _calls.nextDeadline();
        if (!_streaming)
            next = std::min(next.value_or(_connectAt), _connectAt);
        if (_dirty && !_status)
            next = std::min(next.value_or(_statusAt), _statusAt);
        return next;
    }

    void connect()
    {
        _streaming = true;
        client::HttpRequest request = _subject.watchRequest();
        _state->reader.restart();
        request.lastEventId = _state->reader.lastEventId();
        std::thread(
            [state = _state, http = _subject.http, request,
             timeout = _subject.options.requestTimeout]
            {
                const auto sink = [&](std::string_view bytes)
                {
                    const auto events = state->reader.push(bytes);
                    if (events && !events->empty())
                        state->tell(true, std::nullopt);
                    return events.has_value();
                };
                state->tell(false, http->stream(request, timeout, client::streamSilenceMax, sink,
                                                state->cancellation));
            })
            .detach();
    }

    void takeStream(BootTime now)
    {
        std::optional<client::HttpOutcome> ended;
        {
            MutexLock lock(_state->mutex);
            _dirty = _dirty || _state->changed;
            _state->changed = false;
            ended.swap(_state->ended);
        }
        if (!ended)
            return;
        _streaming = false;
        const auto* answer = std::get_if<client::HttpAnswer>(&*ended);
        if (answer != nullptr && answer->status == 200)
        {
            _backoff.reset();
            _connectAt =
                now + client::withJitter(_state->reader.retry().value_or(client::streamPause),
                                         jitterPercent, _random);
            return;
        }
        retryOrEnd(client::readFailure(*ended), now);
    }

    void takeStatus(const Completion& completion)
    {
        _status.reset();
        auto read = client::readObject(completion.outcome, 200);
        if (const auto* failure = std::get_if<client::Failure>(&read))
        {
            _dirty = true;
            return retryOrEnd(*failure, _clock.bootTime());
        }
        _backoff.reset();
        _told.clear();
        auto& status = std::get<JsonValue::Object>(read);
        JsonValue::Object compared = status;
        compared.erase("retry_after_ms"); // it changes with time alone
        std::string text = toJson(JsonValue(compared));
        if (text == _shown)
            return;
        _shown = std::move(text);
        _output.line(_subject.options.json
                         ? _events.snapshot(toJson(JsonValue(status)))
                         : toRfc3339(_clock.wallTime()) + " " + describeStatus(status));
    }

    void retryOrEnd(const client::Failure& failure, BootTime now)
    {
        if (client::worthRetrying(failure))
        {
            complainOnce(failure, _told);
            const BootTime at = now + _backoff.next(_random, failure.retryAfter);
            _connectAt = std::max(_connectAt, at);
            _statusAt = std::max(_statusAt, at);
            return;
        }
        if (_subject.options.json)
            _output.line(_events.error(failure.code));
        _exitCode = explain(failure);
    }

    Subject& _subject;
    const SystemClock _clock;
    SystemRandom _random;
    Wakeups _wakeups;
    Calls _calls;
    std::shared_ptr<StreamState> _state;
    client::HoldEvents _events;
    LineOutput _output{STDOUT_FILENO};
    client::Backoff _backoff{Milliseconds(250), Milliseconds(10'000)};
    std::optional<int> _exitCode;
    std::optional<CallId> _status;
    bool _streaming = false;
    bool _dirty = false;
    BootTime _connectAt{};
    BootTime _statusAt{};
    std::string _shown;
    std::string _told;
};

} // namespace

int watchCommand(const Words& arguments, HoldKind kind)
{
    const auto opened =
        openSubject(arguments, kind, "watch", "one line now and one after every change.");
    if (!opened.subject)
        return opened.exitCode;
    leave(WatchLoop(*opened.subject).run());
}

} // namespace octostore::program
