// SPDX-License-Identifier: MIT
/// @file
/// What transports ask the kernel about the other end of a connection.
#pragma once

#include <octostore/base/Api.h>

#include <cstddef>
#include <string>

namespace octostore::http
{

/// The numeric address of the other end, without port; IPv4 inside IPv6 is written as IPv4. `unix`
/// for a local socket.
OCTOSTORE_API std::string peerAddress(int socket);

/// Makes the kernel notice within about 11 s that a silent client is no longer there. For
/// connections whose client waits for an answer.
OCTOSTORE_API void watchPeer(int socket) noexcept;

/// Whether the other end has ended its side, even if bytes before that were not read yet.
OCTOSTORE_API bool peerHasLeft(int socket) noexcept;

/// The descriptor limit minus 200 for files, stores and outgoing connections; at least 16.
OCTOSTORE_API std::size_t connectionsByDescriptorLimit() noexcept;

} // namespace octostore::http
