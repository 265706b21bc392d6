// SPDX-License-Identifier: MIT
/// @file
/// Commits in a loop and prints every revision it is told, until it is killed. For CrashTest.
#include "SqliteBackend.h"

#include <cstdio>
#include <string>
#include <variant>

#include <conformance/backend/RecordingListener.h>
#include <conformance/backend/Samples.h>
#include <unistd.h>

using namespace octostore;
using namespace octostore::test;

namespace
{

/// Puts a lease of a new name and an event about it.
backend::Transaction next(std::uint64_t number)
{
    const std::string name = "n" + std::to_string(number);
    return Draft()
        .when(absent(leaseKey(name)))
        .put(leaseKey(name), sampleLease(1))
        .event(sampleEvent(name));
}

bool print(const backend::Outcome& outcome)
{
    const auto* committed = std::get_if<backend::Committed>(&outcome.result);
    if (!committed)
        return false;
    // One write a line, at once: what is printed has been reported.
    const std::string line = std::to_string(committed->revision.value()) + "\n";
    return ::write(STDOUT_FILENO, line.data(), line.size()) == static_cast<ssize_t>(line.size());
}

} // namespace

int main(int, char** arguments)
{
    const SystemClock clock;
    sqlite::Options options;
    options.path = arguments[1];
    options.clock = &clock;
    auto opened = sqlite::SqliteBackend::open(options);
    if (!opened)
    {
        std::fprintf(stderr, "%s\n", opened.error().message.c_str());
        return 1;
    }
    sqlite::SqliteBackend& server = **opened;
    std::uint64_t names = 0;
    RecordingListener listener;
    if (!server.load([&names](backend::Record) { ++names; }).ok() || !server.start(listener).ok())
        return 2;
    // A few outstanding at a time, so that batches of several are cut off too.
    for (;;)
    {
        std::vector<backend::Transaction> batch;
        for (int i = 0; i < 7; ++i)
            batch.push_back(next(names++));
        server.commit(std::move(batch));
        for (const backend::Outcome& outcome : listener.takeOutcomes(7))
        {
            if (!print(outcome))
                return 3;
        }
    }
}
