// SPDX-License-Identifier: MIT
/// @file
/// Puts keys into etcd, through its JSON gateway.
#pragma once

#include <octostore/bench/Client.h>

#include <cstddef>
#include <string>

namespace octostore::bench
{

/// Distinct keys, and values of about the size of a lease record. Thread-safety: thread-compatible.
class EtcdClient final : public Client
{
public:
    EtcdClient(const std::string& authority, std::string run, std::size_t first,
               std::size_t stride);
    std::optional<Operation> next(Phase phase, std::string& out) override;
    Verdict answered(const Answer& answer) override;

private:
    const std::string _head;
    const std::string _run;
    const std::string _value;
    std::size_t _number;
    const std::size_t _stride;
};

} // namespace octostore::bench
