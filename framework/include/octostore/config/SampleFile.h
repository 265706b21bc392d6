// SPDX-License-Identifier: MIT
/// @file
/// The properties file that shows every key.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/config/KeyTable.h>

#include <string>

namespace octostore::config
{

/// Every key with its help, commented out at its default, in the order of the table.
OCTOSTORE_API std::string sampleFile(const KeyTable& table);

} // namespace octostore::config
