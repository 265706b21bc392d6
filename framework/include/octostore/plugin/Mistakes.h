// SPDX-License-Identifier: MIT
/// @file
/// How a plugin reports more than one mistake in its configuration.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>

#include <string>

namespace octostore::plugin
{

/// Collects what Plugin::check() finds. Thread-safety: thread-compatible.
class OCTOSTORE_API Mistakes
{
public:
    /// `error` says one thing that is wrong, as `key: message`.
    void add(const Error& error);
    /// The error of `result`, if it has one.
    template <class T>
    void add(const Result<T>& result)
    {
        if (!result)
            add(result.error());
    }
    /// What check() returns. Errors: Configuration, a line for each mistake.
    Result<void> result() const;

private:
    std::string _lines;
};

} // namespace octostore::plugin
