// SPDX-License-Identifier: MIT
/// @file
/// The head of an answer as bytes, the same from every transport.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Time.h>
#include <octostore/http/Message.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace octostore::http
{

enum class BodyForm : std::uint8_t
{
    Length,     ///< content-length; none for 204 and 304
    Chunked,    ///< transfer-encoding: chunked
    UntilClose, ///< ends with the connection: streams to HTTP/1.0 or with a content-length
};

struct HeadForm
{
    BodyForm body = BodyForm::Length;
    bool http11 = true;
    bool keepAlive = true;
    std::string_view date; ///< from httpDate()
};

/// Status line, the headers of `response`, content-length of its body, date and connection. CR and
/// LF inside a value become blanks, so that no value can end the head.
OCTOSTORE_API std::string responseHead(const Response& response, const HeadForm& form);

/// `Sun, 06 Nov 1994 08:49:37 GMT`.
OCTOSTORE_API std::string httpDate(WallTime time);

/// Makes httpDate() once a second. Thread-safety: thread-compatible.
class OCTOSTORE_API DateCache
{
public:
    /// Valid until the next call.
    std::string_view at(WallTime time);

private:
    std::int64_t _second = -1;
    std::string _text;
};

} // namespace octostore::http
