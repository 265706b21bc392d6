// SPDX-License-Identifier: MIT
/// @file
/// What a request head must look like before anything in it is believed.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>
#include <octostore/http/Message.h>
#include <octostore/http/Transport.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace octostore::http
{

struct HeadLimits
{
    std::size_t headMax;    ///< bytes, with the blank line
    std::size_t headersMax; ///< fields
    std::size_t targetMax;  ///< bytes

    static HeadLimits of(const TransportOptions& options) noexcept
    {
        return {options.headMax, options.headersMax, options.targetMax};
    }
};

/// How the rest of a request is delimited and what follows it.
struct Framing
{
    bool http11 = true;
    bool keepAlive = true;
    bool chunked = false;
    std::uint64_t contentLength = 0;
    bool expectsContinue = false;
};

/// How many bytes the head has that `bytes` begins with; 0: it is not all here yet. Looks at the
/// raw bytes, because parsers repair what must be refused: bare CR or LF, folded lines, control
/// characters, blanks around a field name, more than two blanks in the request line.
/// Errors: Malformed, UriTooLong, HeadersTooLarge; answer and close, at once even if more would
/// come.
OCTOSTORE_API Result<std::size_t> findHead(std::string_view bytes, const HeadLimits& limits);

/// Judges a parsed head. Refuses everything about which two servers could disagree where the
/// request ends. Errors: Malformed, UriTooLong, HeadersTooLarge; answer and close.
OCTOSTORE_API Result<Framing> checkHead(std::string_view method, std::string_view target,
                                        std::string_view version, const Headers& headers,
                                        const HeadLimits& limits);

} // namespace octostore::http
