// SPDX-License-Identifier: MIT
#include "Loop.h"

#include <numeric>

namespace octostore::bench
{

std::uint64_t LoadResult::answers() const noexcept
{
    std::uint64_t sum = 0;
    for (const OperationResult& operation : operations)
        sum += operation.latency.count();
    return sum;
}

std::uint64_t LoadResult::failures() const noexcept
{
    std::uint64_t sum = 0;
    for (const OperationResult& operation : operations)
    {
        for (const auto& [status, count] : operation.failures)
            sum += count;
    }
    return sum;
}

Result<LoadResult> runLoad(const LoadOptions& options,
                           const std::vector<std::unique_ptr<Client>>& clients)
{
    const auto address = Address::find(options.host, options.port);
    if (!address)
        return address.error();
    Loop loop(options, *address, clients);
    return loop.run();
}

} // namespace octostore::bench
