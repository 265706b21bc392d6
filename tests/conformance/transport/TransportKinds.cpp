// SPDX-License-Identifier: MIT
#include "PocoTransport.h"
#include "TransportFixture.h"

namespace octostore::test
{

std::vector<TransportKind> transportKinds()
{
    return {{"poco", [] { return std::make_unique<http_poco::PocoTransport>(Logger{}); }}};
}

} // namespace octostore::test
