// SPDX-License-Identifier: MIT
#include <octostore/http/ResponseHead.h>

#include <chrono>
#include <cstdio>
#include <ctime>

namespace octostore::http
{

namespace
{

std::string_view reasonPhrase(int status) noexcept
{
    switch (status)
    {
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 202:
        return "Accepted";
    case 204:
        return "No Content";
    case 302:
        return "Found";
    case 304:
        return "Not Modified";
    case 307:
        return "Temporary Redirect";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 409:
        return "Conflict";
    case 410:
        return "Gone";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 415:
        return "Unsupported Media Type";
    case 422:
        return "Unprocessable Content";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 502:
        return "Bad Gateway";
    case 503:
        return "Service Unavailable";
    default:
        return "Other";
    }
}

void appendHeader(std::string& head, std::string_view name, std::string_view value)
{
    head.append(name).append(": ");
    const std::size_t begin = head.size();
    head.append(value);
    constexpr std::string_view unsafe("\r\n\0", 3);
    for (std::size_t at = head.find_first_of(unsafe, begin); at != std::string::npos;
         at = head.find_first_of(unsafe, at))
        head[at] = ' ';
    head.append("\r\n");
}

bool hasBody(int status)
{
    return status >= 200 && status != 204 && status != 304;
}

} // namespace

std::string responseHead(const Response& response, const HeadForm& form)
{
    std::string head;
    head.reserve(512);
    head.append("HTTP/1.1 ").append(std::to_string(response.status)).push_back(' ');
    head.append(reasonPhrase(response.status)).append("\r\n");
    for (const Header& header : response.headers.all())
        appendHeader(head, header.name, header.value);

    if (form.body == BodyForm::Chunked)
        appendHeader(head, "transfer-encoding", "chunked");
    else if (form.body == BodyForm::Length && hasBody(response.status))
        appendHeader(head, "content-length", std::to_string(response.body.size()));
    appendHeader(head, "date", form.date);
    if (!form.keepAlive)
        appendHeader(head, "connection", "close");
    else if (!form.http11)
        appendHeader(head, "connection", "keep-alive");
    head.append("\r\n");
    return head;
}

std::string httpDate(WallTime time)
{
    const std::time_t seconds =
        std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    // strftime would follow the locale of the process.
    static constexpr const char* days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                             "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    char text[64];
    std::snprintf(text, sizeof text, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[parts.tm_wday],
                  parts.tm_mday, months[parts.tm_mon], parts.tm_year + 1900, parts.tm_hour,
                  parts.tm_min, parts.tm_sec);
    return text;
}

std::string_view DateCache::at(WallTime time)
{
    const std::int64_t second =
        std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
    if (second != _second)
    {
        _second = second;
        _text = httpDate(time);
    }
    return _text;
}

} // namespace octostore::http
