// SPDX-License-Identifier: MIT
/// @file
/// How many streams there may be, and whose they are.
#pragma once

#include "Settings.h"

#include <octostore/base/Id.h>
#include <octostore/base/Mutex.h>
#include <octostore/http/ErrorResponse.h>
#include <octostore/http/IpAddress.h>

#include <cstddef>
#include <map>
#include <memory>
#include <variant>

namespace octostore::watches
{

/// Counts the streams of rooms by client and altogether, and all others by account.
/// Thread-safety: thread-safe.
class StreamLimits
{
public:
    /// One stream; it counts until this is let go, on any thread.
    using Place = std::shared_ptr<const void>;
    struct Refusal
    {
        Error error;
        http::ErrorDetails details;
    };
    using Admission = std::variant<Place, Refusal>;

    StreamLimits();

    Admission admitToRoom(const http::IpAddress& client, const Settings& settings);
    Admission admit(PrincipalId caller, const Settings& settings);

private:
    struct Counts;

    const std::shared_ptr<Counts> _counts; ///< places outlive this
};

} // namespace octostore::watches
