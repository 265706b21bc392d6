// SPDX-License-Identifier: MIT
/// @file
/// Options of sockets.
#pragma once

#include <sys/socket.h>

namespace octostore::http
{

/// False: the socket is of a kind that has no such option; `errno` tells.
inline bool setOption(int socket, int level, int option, int value) noexcept
{
    return ::setsockopt(socket, level, option, &value, sizeof value) == 0;
}

} // namespace octostore::http
