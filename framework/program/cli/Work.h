// SPDX-License-Identifier: MIT
/// @file
/// What is done while the lease is held.
#pragma once

#include <octostore/base/Time.h>
#include <octostore/client/HoldEvents.h>

#include <optional>
#include <string>
#include <vector>

#include <poll.h>

namespace octostore::program
{

/// Thread-safety: thread-compatible.
class Work
{
public:
    /// How it is to end.
    enum class Stop
    {
        InTime,   ///< by itself, within what it is usually given; the lease is renewed meanwhile
        Politely, ///< asked first, then made to; before the authority ends
        AtOnce,   ///< the authority is over already
    };

    Work() = default;
    virtual ~Work();
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    /// The lease is ours until `deadline`.
    virtual void start(const client::LeaseFacts& lease, BootTime deadline) = 0;
    virtual void extend(BootTime deadline) = 0;
    /// May come several times; it never gets gentler.
    virtual void stop(Stop how, BootTime now) = 0;
    /// A signal that came to us while it runs. True: it is also the request to end.
    virtual bool signal(int number) = 0;
    /// The lease is not ours any more.
    virtual void lost(const std::string& reason) = 0;

    /// Nothing of it runs, which is certain: the lease may be given back.
    virtual bool gone() const = 0;
    /// It has ended without being told to.
    virtual bool ended() const = 0;
    /// What the program is to end with because of it; nothing: it has no opinion.
    virtual std::optional<int> exitCode() const = 0;

    virtual std::vector<pollfd> wanted() const { return {}; }
    /// Descriptors are ready, or time has passed.
    virtual void advance(BootTime /*now*/) {}
    virtual std::optional<BootTime> next() const { return std::nullopt; }
    /// The last thing, after the lease was given back: waits for what may still run.
    virtual void finish() {}
};

/// Of `hold`: somebody else works, we only report. Thread-safety: thread-compatible.
class NoWork final : public Work
{
public:
    void start(const client::LeaseFacts& /*lease*/, BootTime /*deadline*/) override {}
    void extend(BootTime /*deadline*/) override {}
    void stop(Stop /*how*/, BootTime /*now*/) override {}
    bool signal(int /*number*/) override { return true; }
    void lost(const std::string& /*reason*/) override {}
    bool gone() const override { return true; }
    bool ended() const override { return false; }
    std::optional<int> exitCode() const override { return std::nullopt; }
};

} // namespace octostore::program
