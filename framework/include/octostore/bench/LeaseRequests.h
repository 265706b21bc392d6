// SPDX-License-Identifier: MIT
/// @file
/// The requests of locks and rooms as bytes, made without much ado.
#pragma once

#include <octostore/bench/Client.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace octostore::bench
{

/// Where requests go and what every one of them carries.
struct Target
{
    std::string authority;
    std::string basePath;
    std::string token; ///< empty: rooms, else locks
};

/// Thread-safety: immutable.
class LeaseRequests
{
public:
    explicit LeaseRequests(const Target& target);

    bool locks() const noexcept { return _locks; }
    /// `waitSeconds` 0: answers at once. `name` must not need encoding.
    void acquire(std::string& out, std::string_view name, std::chrono::seconds ttl,
                 unsigned waitSeconds = 0) const;
    void renew(std::string& out, std::string_view name, std::string_view credential,
               std::chrono::seconds ttl) const;
    void release(std::string& out, std::string_view name, std::string_view credential) const;
    void status(std::string& out, std::string_view name) const;

    /// The lease ID or leader token in the answer to acquire(); empty when it was not granted.
    std::string_view credentialIn(std::string_view body) const noexcept;

private:
    void post(std::string& out, std::string_view name, std::string_view action,
              std::string_view body) const;

    bool _locks;
    std::string _path; ///< up to the name
    std::string _head; ///< what follows the path, up to the length of the body
    std::string _end;  ///< what follows the path of a GET
};

/// The text after `key`, which is written `"name":"`, up to the next quote; empty: none.
std::string_view textIn(std::string_view json, std::string_view key) noexcept;

} // namespace octostore::bench
