// SPDX-License-Identifier: MIT
/// @file
/// Broken invariants stop the process: a stopped server is safer than two leaders.
#pragma once

#include <octostore/base/Api.h>

namespace octostore
{

/// Writes the broken condition and its place to standard error and aborts.
[[noreturn]] OCTOSTORE_API void assertionFailed(const char* condition, const char* file,
                                                int line) noexcept;

} // namespace octostore

/// Checked in release builds too.
#define OCTOSTORE_ASSERT(condition)                                                                \
    (static_cast<bool>(condition) ? static_cast<void>(0)                                           \
                                  : ::octostore::assertionFailed(#condition, __FILE__, __LINE__))
