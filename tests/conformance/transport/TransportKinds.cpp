// SPDX-License-Identifier: MIT
#include "BeastTransport.h"
#include "PocoTransport.h"
#include "TransportFixture.h"

namespace octostore::test
{

std::vector<TransportKind> transportKinds()
{
    return {{"beast", [] { return std::make_unique<http_beast::BeastTransport>(Logger{}); }},
            {"poco", [] { return std::make_unique<http_poco::PocoTransport>(Logger{}); }}};
}

} // namespace octostore::test
