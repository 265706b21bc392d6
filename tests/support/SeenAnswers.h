// SPDX-License-Identifier: MIT
/// @file
/// Writes down what servers answered, for the test that holds all of it against the description.
#pragma once

#include <octostore/base/Json.h>
#include <octostore/base/Mutex.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>

#include <stdlib.h>
#include <unistd.h>

namespace octostore::test
{

/// One file for each process, one line for each answer that looks like none before it: values of
/// the same kind look the same. Thread-safety: thread-safe.
class SeenAnswers
{
public:
    struct Answer
    {
        std::string_view method;
        std::string_view target;
        int status;
        std::string_view type; ///< of the content
        std::string_view body;
    };

    /// Beside the program under test; empty when that is not known, and then nothing is written.
    static std::filesystem::path folder()
    {
        const char* program = ::getenv("OCTOSTORE_TEST_PROGRAM");
        return program == nullptr
                   ? std::filesystem::path()
                   : std::filesystem::path(program).parent_path().parent_path() / "answers";
    }

    /// The file is named after this process; it is kept open.
    static SeenAnswers& ofThisProcess()
    {
        static SeenAnswers answers;
        return answers;
    }

    void note(const Answer& answer) OCTOSTORE_EXCLUDES(_mutex)
    {
        const bool kept = answer.type.starts_with("application/json") ||
                          answer.type.starts_with("text/event-stream");
        const std::string_view body = kept ? answer.body : std::string_view();
        std::string look(answer.method);
        look.append(" ").append(lookOf(answer.target)).append(std::to_string(answer.status));
        look.append(lookOf(body));
        MutexLock lock(_mutex);
        if (!_file || !_seen.insert(std::move(look)).second)
            return;
        JsonWriter line;
        line.beginObject()
            .field("method", answer.method)
            .field("target", answer.target)
            .field("status", answer.status)
            .field("type", answer.type)
            .field("body", body)
            .endObject();
        _file << line.take() << std::endl;
    }

    /// Notes each whole frame of a stream as a body of its own and takes it from `text`.
    void noteFrames(std::string_view method, std::string_view target, std::string& text)
    {
        for (std::size_t end = text.find("\n\n"); end != std::string::npos; end = text.find("\n\n"))
        {
            note({method, target, 200, "text/event-stream", text.substr(0, end)});
            text.erase(0, end + 2);
        }
    }

private:
    SeenAnswers()
    {
        const std::filesystem::path where = folder();
        std::error_code ignored;
        if (where.empty() || !std::filesystem::exists(where.parent_path(), ignored))
            return;
        std::filesystem::create_directories(where, ignored);
        _file.open(where / (std::to_string(::getpid()) + ".jsonl"), std::ios::app);
    }

    /// Runs of digits are one digit; so are lists of the same.
    static std::string lookOf(std::string_view text)
    {
        std::string look;
        for (const char c : text)
        {
            const bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
            const char kind = digit ? '0' : c;
            if (kind != '0' || look.empty() || look.back() != '0')
                look += kind;
            if (look.size() >= lookMax)
                break;
        }
        return look;
    }

    static constexpr std::size_t lookMax = 600;

    Mutex _mutex;
    std::set<std::string> _seen OCTOSTORE_GUARDED_BY(_mutex);
    std::ofstream _file OCTOSTORE_GUARDED_BY(_mutex);
};

} // namespace octostore::test
