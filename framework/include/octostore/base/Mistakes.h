// SPDX-License-Identifier: MIT
/// @file
/// How more than one mistake in a configuration is reported at once.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>

#include <string>

namespace octostore
{

/// Collects what is wrong, for Plugin::check(). Thread-safety: thread-compatible.
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
    /// Errors: Configuration, a line for each mistake.
    Result<void> result() const;

private:
    std::string _lines;
};

} // namespace octostore
