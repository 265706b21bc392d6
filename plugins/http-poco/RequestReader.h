// SPDX-License-Identifier: MIT
/// @file
/// A request that is taken apart here, without Poco's header reader.
#pragma once

#include "ChunkedBody.h"

#include <octostore/http/RequestReader.h>

namespace octostore::http_poco
{

/// Splits heads itself: Poco::Net::MessageHeader decodes RFC 2047 words in values, so that
/// `Content-Length: =?utf-8?Q?5?=` would be 5 to us and something else to a proxy.
/// Thread-safety: thread-compatible.
class RequestReader final : public http::RequestReader
{
public:
    /// `options` must outlive this object.
    explicit RequestReader(const http::TransportOptions& options);

private:
    Result<StartLine> parseHead(std::string_view head) override;
    std::size_t feedLength(std::string_view bytes) override;
    std::size_t feedChunks(std::string_view bytes) override;

    ChunkedBody _chunks;
};

} // namespace octostore::http_poco
