// SPDX-License-Identifier: MIT
#include "LogBackend.h"

#include <octostore/backend/Codec.h>
#include <octostore/base/Json.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace logbackend
{

using backend::Condition;
using backend::Key;
using backend::Record;

namespace
{

constexpr std::size_t batchMax = 512;

void writeKey(JsonWriter& json, const Key& key)
{
    json.field("collection", static_cast<int>(key.collection)).field("name", key.name);
}

/// One commit as a line.
std::string lineOf(Revision revision, const backend::Transaction& transaction)
{
    JsonWriter json;
    json.beginObject().field("revision", revision.value()).key("records").beginArray();
    for (const backend::Put& put : transaction.puts)
    {
        json.beginObject();
        writeKey(json, put.key);
        json.field("value", backend::encodeValue(put.value)).endObject();
    }
    for (const Key& key : transaction.erasures)
    {
        json.beginObject();
        writeKey(json, key);
        json.endObject();
    }
    json.endArray();
    if (transaction.event)
        json.field("event", backend::encodeEvent(*transaction.event));
    json.endObject();
    return json.take() + "\n";
}

bool writeDurably(int file, const std::string& text)
{
    std::size_t written = 0;
    while (written < text.size())
    {
        const ssize_t n = ::write(file, text.data() + written, text.size() - written);
        if (n <= 0)
            return false;
        written += static_cast<std::size_t>(n);
    }
    return ::fdatasync(file) == 0;
}

Error corrupt(const std::string& what)
{
    return {ErrorCode::Corrupt, "the log is damaged: " + what};
}

} // namespace

Result<std::unique_ptr<backend::Backend>> LogBackend::open(const std::string& file)
{
    const int opened = ::open(file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (opened < 0)
        return Error{ErrorCode::Unavailable, file + ": " + std::strerror(errno)};
    return std::unique_ptr<backend::Backend>(new LogBackend(opened));
}

LogBackend::~LogBackend()
{
    stop();
    ::close(_file);
}

/// Replays the file. A last line without an end was never answered for: it is cut off.
Result<Revision> LogBackend::load(const backend::RecordSink& sink) noexcept
{
    std::ifstream log("/proc/self/fd/" + std::to_string(_file));
    off_t whole = 0;
    for (std::string line; std::getline(log, line) && !log.eof();)
    {
        if (const auto taken = takeLine(line); !taken)
            return taken.error();
        whole += static_cast<off_t>(line.size()) + 1;
    }
    if (::ftruncate(_file, whole) != 0)
        return Error{ErrorCode::Unavailable, std::strerror(errno)};
    for (const auto& [key, record] : _records)
        sink(record);
    return _revision;
}

Result<void> LogBackend::takeLine(const std::string& line)
{
    const auto object = readJson(line);
    if (!object)
        return corrupt(object.error().message);
    const JsonFields fields(*object);
    if (const auto trimmed = fields.optionalInteger("trimmed", INT64_MAX); trimmed && *trimmed)
        return trimEvents(Sequence(**trimmed));
    const auto revision = fields.optionalInteger("revision", INT64_MAX);
    const JsonValue* records = fields.find("records");
    if (!revision || !*revision || records == nullptr || records->asArray() == nullptr)
        return corrupt("a line is not one of ours");
    _revision = Revision(**revision);
    for (const JsonValue& entry : *records->asArray())
    {
        if (entry.asObject() == nullptr)
            return corrupt("a record is not one of ours");
        const JsonFields record(*entry.asObject());
        const auto collection = record.optionalInteger("collection");
        const auto name = record.string("name");
        const auto text = record.optionalString("value");
        if (!collection || !*collection || !name || !text)
            return corrupt("a record is not one of ours");
        const Key key{static_cast<backend::Collection>(**collection), *name};
        if (!*text)
        {
            _records.erase(key);
            continue;
        }
        auto value = backend::decodeValue(key.collection, **text);
        if (!value)
            return value.error();
        _records[key] = {key, *std::move(value), _revision};
    }
    const auto happened = fields.optionalString("event");
    if (!happened || !*happened)
        return {};
    auto draft = backend::decodeEvent(**happened);
    if (!draft)
        return draft.error();
    MutexLock lock(_mutex);
    _events.push_back({Sequence(_revision.value()), *std::move(draft)});
    return {};
}

Result<void> LogBackend::start(backend::BackendListener& listener) noexcept
{
    _listener = &listener;
    _committer = std::thread([this] { run(); });
    return {};
}

void LogBackend::commit(std::vector<backend::Transaction> batch) noexcept
{
    {
        MutexLock lock(_mutex);
        for (backend::Transaction& transaction : batch)
        {
            const Priority priority = transaction.priority;
            _queue.push(priority, std::move(transaction));
        }
    }
    _wake.notify_one();
}

void LogBackend::ask(Question question)
{
    {
        MutexLock lock(_mutex);
        _questions.push_back(std::move(question));
    }
    _wake.notify_one();
}

void LogBackend::read(backend::ReadId request, std::vector<Key> keys) noexcept
{
    ask({request, std::move(keys)});
}

void LogBackend::sync(backend::ReadId request) noexcept
{
    ask({request, std::nullopt});
}

Result<std::vector<event::Event>> LogBackend::events(Sequence after, std::size_t limit) noexcept
{
    MutexLock lock(_mutex);
    std::vector<event::Event> found;
    for (const event::Event& happened : _events)
        if (happened.sequence > after && found.size() < limit)
            found.push_back(happened);
    return found;
}

Result<void> LogBackend::trimEvents(Sequence upTo) noexcept
{
    MutexLock lock(_mutex);
    if (_events.empty())
        return {};
    upTo = std::min(upTo, _events.back().sequence); // "all" is no number that a log should keep
    if (_listener != nullptr)                       // else the line is being read
    {
        JsonWriter json;
        json.beginObject().field("trimmed", upTo.value()).endObject();
        if (!writeDurably(_file, json.take() + "\n"))
            return Error{ErrorCode::Unavailable, "the log cannot be written"};
    }
    while (!_events.empty() && _events.front().sequence <= upTo)
        _events.pop_front();
    return {};
}

void LogBackend::stop() noexcept
{
    {
        MutexLock lock(_mutex);
        _stopping = true;
    }
    _wake.notify_one();
    if (_committer.joinable())
        _committer.join();
}

std::uint64_t LogBackend::sizeBytes() const noexcept
{
    struct stat found
    {
    };
    return ::fstat(_file, &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
}

void LogBackend::run() noexcept
{
    for (;;)
    {
        std::vector<backend::Transaction> batch;
        std::deque<Question> questions;
        {
            MutexLock lock(_mutex);
            while (_queue.empty() && _questions.empty() && !_stopping)
                lock.wait(_wake);
            if (_queue.empty() && _questions.empty())
                return;
            batch = _queue.take(batchMax);
            questions.swap(_questions);
        }
        if (!batch.empty())
            commitAll(std::move(batch));
        for (const Question& question : questions)
            answer(question);
    }
}

/// Everything that has gathered is one write and one sync; then, and not before, all are answered.
void LogBackend::commitAll(std::vector<backend::Transaction> batch)
{
    std::string lines;
    std::vector<event::Event> happened;
    std::vector<backend::Outcome> outcomes;
    for (backend::Transaction& transaction : batch)
        outcomes.push_back(judge(transaction, lines, happened));
    if (!lines.empty() && !writeDurably(_file, lines))
    {
        // Some of it may be on disk. Nobody may be told "nothing changed", and memory is ahead.
        _broken = true;
        for (backend::Outcome& outcome : outcomes)
            if (std::holds_alternative<backend::Committed>(outcome.result))
                outcome.result =
                    backend::Failed{{ErrorCode::OutcomeUnknown, "the log cannot be written"}};
        _listener->lost({ErrorCode::Corrupt, "the log cannot be written; start again"});
    }
    else
    {
        MutexLock lock(_mutex);
        std::move(happened.begin(), happened.end(), std::back_inserter(_events));
    }
    _listener->outcomes(std::move(outcomes));
}

backend::Outcome LogBackend::judge(backend::Transaction& transaction, std::string& lines,
                                   std::vector<event::Event>& happened)
{
    if (_broken || !backend::isWellFormed(transaction))
        return {transaction.id,
                backend::Failed{{ErrorCode::Unavailable, "this cannot be committed"}}};
    backend::Conflict conflict;
    for (const Condition& condition : transaction.conditions)
    {
        const auto found = _records.find(condition.key);
        const bool there = found != _records.end();
        const bool holds = condition.kind == Condition::Kind::Absent ? !there
                           : condition.kind == Condition::Kind::Present
                               ? there
                               : there && found->second.version == condition.version;
        if (!holds)
            conflict.current.push_back(there ? found->second : Record{condition.key, {}, {}});
    }
    if (!conflict.current.empty())
        return {transaction.id, std::move(conflict)};

    _revision = Revision(_revision.value() + 1);
    for (backend::Put& put : transaction.puts)
        backend::stamp(put.value, _revision);
    if (transaction.event)
    {
        backend::stamp(*transaction.event, _revision);
        happened.push_back({Sequence(_revision.value()), *transaction.event});
    }
    lines += lineOf(_revision, transaction);
    for (const Key& key : transaction.erasures)
        _records.erase(key);
    for (backend::Put& put : transaction.puts)
        _records[put.key] = {put.key, std::move(put.value), _revision};
    return {transaction.id, backend::Committed{_revision}};
}

void LogBackend::answer(const Question& question)
{
    if (!question.keys)
        return _listener->caughtUp(question.id, _revision);
    std::vector<Record> found;
    for (const Key& key : *question.keys)
    {
        const auto record = _records.find(key);
        found.push_back(record != _records.end() ? record->second : Record{key, {}, {}});
    }
    _listener->records(question.id, std::move(found));
}

} // namespace logbackend
