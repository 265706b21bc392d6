// SPDX-License-Identifier: MIT
/// @file
/// A server that has to prove its name.
#pragma once

#include "TemporaryDirectory.h"

#include <cstdint>
#include <memory>
#include <string>

namespace octostore::test
{

/// Answers `{}` to everything, on a free port of 127.0.0.1. Its certificate was made for it, for
/// good.example and 127.0.0.1, and nobody has signed it. Thread-safety: thread-compatible.
class TlsServer
{
public:
    /// Needs the openssl program.
    TlsServer();
    ~TlsServer();
    TlsServer(const TlsServer&) = delete;
    TlsServer& operator=(const TlsServer&) = delete;

    std::uint16_t port() const;
    /// The PEM file that makes it trusted.
    std::string certificate() const { return _directory.file("certificate.pem"); }

private:
    struct Listening;

    TemporaryDirectory _directory;
    std::unique_ptr<Listening> _listening;
};

} // namespace octostore::test
