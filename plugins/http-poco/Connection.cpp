// SPDX-License-Identifier: MIT
#include "Connection.h"

#include <Poco/Net/StreamSocketImpl.h>

namespace octostore::http_poco
{

Connection::Connection(const Poco::Net::StreamSocket& socket, Service& service,
                       ConnectionTable& table)
    : TCPServerConnection(socket), _service(service), _table(table)
{
}

void Connection::run()
{
    const std::shared_ptr<TaskInbox> inbox = TaskInbox::open();
    const int descriptor = socket().impl()->sockfd();
    if (inbox)
    {
        _table.add(descriptor, inbox);
        Conversation(_service, descriptor, inbox).run();
        inbox->stop();
        _table.remove(descriptor);
    }
    // Poco keeps copies of the socket for a while; closing one closes all.
    socket().close();
}

} // namespace octostore::http_poco
