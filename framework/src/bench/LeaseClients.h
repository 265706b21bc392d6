// SPDX-License-Identifier: MIT
/// @file
/// Clients that acquire, renew, release and ask about leases.
#pragma once

#include <octostore/bench/Client.h>
#include <octostore/bench/LeaseRequests.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace octostore::bench
{

struct LeaseSettings
{
    std::shared_ptr<const LeaseRequests> requests;
    std::chrono::seconds ttl{60};
    std::string run;
    std::size_t first = 0;  ///< number of the first name of a client
    std::size_t stride = 1; ///< from each of its names to its next
    std::size_t names = 1;  ///< of all clients
};

/// One lease, and what was last asked about it. Thread-safety: thread-compatible.
class LeaseOfClient
{
public:
    explicit LeaseOfClient(const LeaseSettings& settings) : _settings(settings) {}

    bool held() const noexcept { return !_credential.empty(); }
    Operation acquire(std::string& out, const std::string& name);
    Operation renew(std::string& out);
    Operation release(std::string& out);
    Operation status(std::string& out);
    Verdict answered(const Answer& answer);

private:
    const LeaseSettings& _settings;
    std::string _name;
    std::string _credential;
    Operation _asked = Operation::Other;
};

/// `bench-RUN-NUMBER`: a lock name and a room ID.
std::string leaseName(const LeaseSettings& settings, std::size_t number);

/// Acquires and releases, one name after the other.
class PairClient final : public Client
{
public:
    explicit PairClient(LeaseSettings settings);
    std::optional<Operation> next(Phase phase, std::string& out) override;
    Verdict answered(const Answer& answer) override { return _lease.answered(answer); }

private:
    const LeaseSettings _settings;
    LeaseOfClient _lease;
    std::size_t _number;
};

/// Acquires names that nobody had before, and leaves them to their TTL.
class AcquireClient final : public Client
{
public:
    explicit AcquireClient(LeaseSettings settings);
    std::optional<Operation> next(Phase phase, std::string& out) override;
    Verdict answered(const Answer& answer) override { return _lease.answered(answer); }

private:
    const LeaseSettings _settings;
    LeaseOfClient _lease;
    std::size_t _number;
};

/// Holds one lease and does with it what the pattern says, over and over; Acquire in it stands for
/// acquiring and releasing another name.
class HoldingClient final : public Client
{
public:
    using Pattern = std::vector<Operation>;

    HoldingClient(LeaseSettings settings, Pattern pattern);
    std::optional<Operation> next(Phase phase, std::string& out) override;
    Verdict answered(const Answer& answer) override;

private:
    std::optional<Operation> load(std::string& out);
    const std::string& nextName();

    const LeaseSettings _settings;
    const Pattern _pattern;
    LeaseOfClient _own;
    LeaseOfClient _other;
    std::string _name;
    std::size_t _number;
    std::size_t _step;
    bool _otherAsked = false;
};

} // namespace octostore::bench
