// SPDX-License-Identifier: MIT
#include <octostore/backend/Backend.h>

namespace octostore::backend
{

BackendListener::~BackendListener() = default;
Backend::~Backend() = default;
BackendFactory::~BackendFactory() = default;

Result<void> Backend::snapshot(const std::string& /*file*/,
                               const std::function<bool()>& /*cancelled*/) noexcept
{
    return Error{ErrorCode::NotFound,
                 "This backend has no snapshots; back up its store by its own means."};
}

Result<RestoreReport> BackendFactory::restore(const BackendContext& /*context*/,
                                              const RestoreOrder& /*order*/) noexcept
{
    return Error{ErrorCode::Configuration,
                 "This backend is not restored from a file; use the means of its store."};
}

} // namespace octostore::backend
