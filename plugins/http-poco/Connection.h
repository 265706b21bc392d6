// SPDX-License-Identifier: MIT
/// @file
/// A connection as Poco's server sees it.
#pragma once

#include "ConnectionTable.h"
#include "Conversation.h"

#include <Poco/Net/TCPServerConnection.h>

namespace octostore::http_poco
{

/// Made and run on a thread of the pool. Thread-safety: thread-affine(that thread).
class Connection final : public Poco::Net::TCPServerConnection
{
public:
    /// Both must outlive this object.
    Connection(const Poco::Net::StreamSocket& socket, Service& service, ConnectionTable& table);
    void run() override;

private:
    Service& _service;
    ConnectionTable& _table;
};

} // namespace octostore::http_poco
