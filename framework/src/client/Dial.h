// SPDX-License-Identifier: MIT
/// @file
/// From a server's name to a socket that leads there.
#pragma once

#include "Connection.h"

namespace octostore::client
{

/// What a Poco exception in hand (call it inside a catch) means for the connection to `where`.
TransportFailure currentFailure(TransportFault otherwise, const std::string& where,
                                const Cancellation& cancellation);

/// A connected, for https also authenticated, socket to the server or through the proxy.
/// Throws what Poco throws.
Poco::Net::StreamSocket dial(const Dialing& dialing, Milliseconds timeout,
                             Cancellation& cancellation);

/// The context for https with these further roots.
/// Errors: Configuration, the bundle cannot be read.
Result<Poco::Net::Context::Ptr> makeTls(const std::string& caBundle);

} // namespace octostore::client
