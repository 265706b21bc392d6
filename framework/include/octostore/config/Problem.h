// SPDX-License-Identifier: MIT
/// @file
/// Something wrong with the configuration, said so that it can be found and mended.
#pragma once

#include <octostore/base/Api.h>

#include <cstddef>
#include <string>

namespace octostore::config
{

struct Problem
{
    std::string place;    ///< a file, an environment variable or `--set`
    std::size_t line = 0; ///< of a file; 0: none
    std::string key;      ///< empty: it is about no key
    std::string message;  ///< never shows a secret

    /// `octostore.properties:12: http.threads: must be ...`
    OCTOSTORE_API std::string toString() const;
};

} // namespace octostore::config
