// SPDX-License-Identifier: MIT
/// @file
/// The properties file that shows every key, and the page that describes them.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/config/KeyTable.h>

#include <string>

namespace octostore::config
{

/// Every key with its help, commented out at its default, in the order of the table.
OCTOSTORE_API std::string sampleFile(const KeyTable& table);
/// The same as a page of Markdown, a table for each group of keys.
OCTOSTORE_API std::string samplePage(const KeyTable& table);

} // namespace octostore::config
