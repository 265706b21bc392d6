// SPDX-License-Identifier: MIT
#include "RequestReader.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace octostore::http_beast
{

namespace beast = boost::beast;
using beast::error_code;
using beast::string_view;

/// Writes what Beast finds straight into the request.
class RequestReader::Parser final : public beast::http::basic_parser<true>
{
public:
    Parser(http::Request& request, const http::TransportOptions& options)
        : _request(request), _bodyMax(options.bodyMax)
    {
        header_limit(static_cast<std::uint32_t>(options.headMax + 1));
        // Ours has another status. Not `none`: Beast 1.74 takes that for a limit of nothing.
        body_limit(std::numeric_limits<std::uint64_t>::max());
        eager(false);
    }

    const std::string& method() const { return _method; }
    std::string_view version() const { return _version == 11 ? "HTTP/1.1" : "HTTP/1.0"; }

private:
    void on_request_impl(beast::http::verb, string_view method, string_view target, int version,
                         error_code&) override
    {
        _method.assign(method.data(), method.size());
        _request.method = http::parseMethod(_method);
        _request.target.assign(target.data(), target.size());
        _version = version;
    }
    void on_response_impl(int, string_view, int, error_code&) override {}
    void on_field_impl(beast::http::field, string_view name, string_view value,
                       error_code&) override
    {
        if (!_headDone) // trailers are no headers
            _request.headers.add(name.to_string(), value.to_string());
    }
    void on_header_impl(error_code&) override { _headDone = true; }
    void on_body_init_impl(boost::optional<std::uint64_t> const&, error_code&) override {}
    std::size_t on_body_impl(string_view body, error_code&) override { return append(body); }
    void on_chunk_header_impl(std::uint64_t size, string_view, error_code& failure) override
    {
        if (size > _bodyMax - std::min<std::size_t>(_request.body.size(), _bodyMax))
            failure = beast::http::error::body_limit;
    }
    std::size_t on_chunk_body_impl(std::uint64_t, string_view body, error_code&) override
    {
        return append(body);
    }
    void on_finish_impl(error_code&) override {}

    std::size_t append(string_view body)
    {
        _request.body.append(body.data(), body.size());
        return body.size();
    }

    http::Request& _request;
    const std::size_t _bodyMax;
    std::string _method;
    int _version = 11;
    bool _headDone = false;
};

RequestReader::RequestReader(const http::TransportOptions& options) : http::RequestReader(options)
{
}

RequestReader::~RequestReader() = default;

Result<RequestReader::StartLine> RequestReader::parseHead(std::string_view head)
{
    _parser = std::make_unique<Parser>(request(), options());
    error_code failure;
    _parser->put(boost::asio::const_buffer(head.data(), head.size()), failure);
    if (failure || !_parser->is_header_done())
        return Error{ErrorCode::Malformed, "The request head is not HTTP."};
    _parser->eager(true);
    return StartLine{_parser->method(), std::string(_parser->version())};
}

std::size_t RequestReader::feedLength(std::string_view bytes)
{
    error_code failure;
    const std::size_t taken =
        _parser->put(boost::asio::const_buffer(bytes.data(), bytes.size()), failure);
    if (failure)
        fail({ErrorCode::Malformed, "The body is malformed."});
    else if (_parser->is_done())
        bodyDone();
    return taken;
}

std::size_t RequestReader::feedChunks(std::string_view bytes)
{
    // Beast wants the lines between chunks in one piece.
    _unparsed.append(bytes);
    error_code failure;
    const std::size_t parsed =
        _parser->put(boost::asio::const_buffer(_unparsed.data(), _unparsed.size()), failure);
    const std::size_t left = _unparsed.size() - parsed;
    if (failure == beast::http::error::body_limit)
    {
        fail(bodyTooLong());
        return bytes.size();
    }
    const bool needMore = !failure || failure == beast::http::error::need_more;
    if (!needMore || (!_parser->is_done() && left > options().headMax))
    {
        fail({ErrorCode::Malformed, "The chunked body is malformed."});
        return bytes.size();
    }
    _unparsed.erase(0, parsed);
    if (!_parser->is_done())
        return bytes.size();
    bodyDone();
    return bytes.size() - left;
}

} // namespace octostore::http_beast
