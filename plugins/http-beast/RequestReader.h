// SPDX-License-Identifier: MIT
/// @file
/// A request that Beast takes apart.
#pragma once

#include <octostore/http/RequestReader.h>

#include <memory>
#include <string>

namespace octostore::http_beast
{

/// Lives only while a request arrives: an idle connection has none.
/// Thread-safety: thread-compatible.
class RequestReader final : public http::RequestReader
{
public:
    /// `options` must outlive this object.
    explicit RequestReader(const http::TransportOptions& options);
    ~RequestReader() override;

private:
    class Parser;

    Result<StartLine> parseHead(std::string_view head) override;
    std::size_t feedLength(std::string_view bytes) override;
    std::size_t feedChunks(std::string_view bytes) override;

    std::string _unparsed; ///< a part of a line between chunks
    std::unique_ptr<Parser> _parser;
};

} // namespace octostore::http_beast
