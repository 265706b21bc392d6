// SPDX-License-Identifier: MIT
/// @file
/// Acquires many locks once and leaves them.
#pragma once

#include <octostore/bench/Client.h>
#include <octostore/bench/LeaseRequests.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace octostore::bench
{

/// What all clients of one filling share.
struct Filling
{
    std::unique_ptr<const LeaseRequests> requests;
    std::string run;
    std::size_t next = 0; ///< number of the next name
    std::size_t names = 0;
    std::function<std::chrono::seconds()> ttl;
};

/// Thread-safety: thread-compatible.
class FillClient final : public Client
{
public:
    /// `filling` must outlive this object.
    explicit FillClient(Filling& filling) : _filling(filling) {}
    std::optional<Operation> next(Phase phase, std::string& out) override;
    Verdict answered(const Answer& answer) override;

private:
    Filling& _filling;
};

} // namespace octostore::bench
