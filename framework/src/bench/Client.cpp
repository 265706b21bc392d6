// SPDX-License-Identifier: MIT
#include <octostore/bench/Client.h>

namespace octostore::bench
{

Client::~Client() = default;

std::string_view nameOf(Operation operation) noexcept
{
    switch (operation)
    {
    case Operation::Acquire:
        return "acquire";
    case Operation::Renew:
        return "renew";
    case Operation::Release:
        return "release";
    case Operation::Status:
        return "status";
    case Operation::Other:
        return "other";
    }
    return "other";
}

} // namespace octostore::bench
