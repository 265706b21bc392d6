// SPDX-License-Identifier: MIT
/// @file
/// Names that lead where a test says.
#pragma once

#include "Resolver.h"

#include <map>
#include <string>
#include <vector>

namespace octostore::test
{

/// Each look-up of a name gives the next of its answers; the last one stays. A name without any
/// does not exist. Thread-safety: thread-compatible.
class FakeResolver final : public webhooks::Resolver
{
public:
    using Addresses = std::vector<const char*>;

    Result<std::vector<http::IpAddress>> resolve(const std::string& host) noexcept override
    {
        ++asked;
        auto& answers = places[host];
        if (answers.empty())
            return Error{ErrorCode::UpstreamUnavailable, "there is no host " + host};
        std::vector<http::IpAddress> found;
        for (const char* address : answers.front())
            found.push_back(*http::IpAddress::parse(address));
        if (answers.size() > 1)
            answers.erase(answers.begin());
        return found;
    }

    std::map<std::string, std::vector<Addresses>> places;
    int asked = 0;
};

} // namespace octostore::test
