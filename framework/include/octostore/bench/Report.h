// SPDX-License-Identifier: MIT
/// @file
/// What a load measured, for people and for programs.
#pragma once

#include <octostore/bench/LoadLoop.h>

#include <string>
#include <string_view>

namespace octostore::bench
{

/// `850 ns`, `12.3 us`, `4.56 ms`, `1.2 s`.
std::string readable(Duration duration);

/// A table of all operations and the distribution of their latency.
std::string textReport(std::string_view title, const LoadResult& result);
/// One object: `kind`, `connections`, `seconds`, `operations` {...}, `failures`.
std::string jsonReport(std::string_view kind, std::size_t connections, const LoadResult& result);
/// One line without an end: how it goes so far.
std::string progressLine(const LoadResult& result);

} // namespace octostore::bench
