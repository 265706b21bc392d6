// SPDX-License-Identifier: MIT
/// @file
/// Small rules about text that several modules share.
#pragma once

#include <octostore/base/Api.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace octostore
{

/// RFC 3629: no surrogates, no overlong forms, nothing above U+10FFFF.
OCTOSTORE_API bool isUtf8(std::string_view text) noexcept;
/// How many Unicode scalar values valid UTF-8 has.
OCTOSTORE_API std::size_t countScalars(std::string_view utf8) noexcept;
/// Decodes %XX once; `+` stays. Nothing if an escape is broken.
OCTOSTORE_API std::optional<std::string> percentDecode(std::string_view text);
/// ASCII only.
OCTOSTORE_API std::string toLower(std::string_view text);
OCTOSTORE_API bool equalIgnoringCase(std::string_view a, std::string_view b) noexcept;
/// Without leading and trailing blanks, tabs, CR and LF.
OCTOSTORE_API std::string_view trim(std::string_view text) noexcept;
/// What a terminal shows must not control it: with a blank for each control character of ASCII and
/// Latin-1. `text` is UTF-8.
OCTOSTORE_API std::string printable(std::string_view text);

} // namespace octostore
