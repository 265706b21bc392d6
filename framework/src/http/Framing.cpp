// SPDX-License-Identifier: MIT
#include <octostore/base/Text.h>
#include <octostore/http/Framing.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace octostore::http
{

namespace
{

/// The longest method and version we let stand beside a target.
constexpr std::size_t requestLineExtra = 64;

Error malformed(const char* what)
{
    return {ErrorCode::Malformed, what};
}

Error targetTooLong(const HeadLimits& limits)
{
    return {ErrorCode::UriTooLong,
            "The request target is longer than " + std::to_string(limits.targetMax) + " bytes."};
}

Error headTooLarge(const HeadLimits& limits)
{
    return {ErrorCode::HeadersTooLarge, "The request head has more than " +
                                            std::to_string(limits.headMax) + " bytes or " +
                                            std::to_string(limits.headersMax) + " fields."};
}

bool isTokenCharacter(char c)
{
    const bool alphanumeric =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return alphanumeric ||
           (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

bool isToken(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), isTokenCharacter);
}

/// Every CR stands before a LF, every LF behind a CR, and there is no other control but TAB.
bool hasCleanBytes(std::string_view bytes)
{
    char previous = '\0';
    for (const char c : bytes)
    {
        if ((c == '\n') != (previous == '\r'))
            return false;
        const auto code = static_cast<unsigned char>(c);
        if ((code < 0x20 && c != '\r' && c != '\n' && c != '\t') || code == 0x7f)
            return false;
        previous = c;
    }
    return true;
}

/// `METHOD SP target SP version`.
bool isRequestLine(std::string_view line)
{
    return std::count(line.begin(), line.end(), ' ') == 2 &&
           line.find('\t') == std::string_view::npos;
}

/// `lines`: the field lines with their ends.
bool haveFieldNames(std::string_view lines)
{
    while (!lines.empty())
    {
        const std::size_t end = lines.find("\r\n");
        const std::string_view line = lines.substr(0, end);
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || !isToken(line.substr(0, colon)))
            return false;
        lines.remove_prefix(end + 2);
    }
    return true;
}

bool isTarget(std::string_view method, std::string_view target)
{
    if (target == "*")
        return method == "OPTIONS";
    // Absolute form is for proxies, and we are none.
    return target.substr(0, 1) == "/" &&
           std::all_of(target.begin(), target.end(),
                       [](char c) { return c > ' ' && c < '\x7f' && c != '#'; });
}

bool isHost(std::string_view value)
{
    return std::all_of(value.begin(), value.end(),
                       [](char c)
                       {
                           return c > ' ' && c < '\x7f' &&
                                  std::string_view("/\\?#@,<>\"").find(c) == std::string_view::npos;
                       });
}

std::optional<std::uint64_t> parseLength(std::string_view text)
{
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, value);
    if (text.empty() || failure != std::errc() || stop != end)
        return std::nullopt;
    return value;
}

bool lists(const Headers& headers, std::string_view name, std::string_view option)
{
    for (const Header& header : headers.all())
    {
        if (!equalIgnoringCase(header.name, name))
            continue;
        std::string_view rest = header.value;
        while (!rest.empty())
        {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            if (equalIgnoringCase(trim(rest.substr(0, comma)), option))
                return true;
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    }
    return false;
}

Result<void> checkHost(const Headers& headers, bool http11)
{
    const std::size_t hosts = headers.count("host");
    if (hosts > 1 || (http11 && hosts == 0))
        return malformed("HTTP/1.1 needs exactly one Host header.");
    const std::string* host = headers.find("host");
    if (host != nullptr && !isHost(*host))
        return malformed("The Host header is not a host.");
    return {};
}

Result<void> readLength(const Headers& headers, Framing& framing)
{
    const std::size_t encodings = headers.count("transfer-encoding");
    const std::size_t lengths = headers.count("content-length");
    if (encodings > 0)
    {
        if (!framing.http11)
            return malformed("HTTP/1.0 has no Transfer-Encoding.");
        if (lengths > 0)
            return malformed("Content-Length and Transfer-Encoding exclude each other.");
        if (encodings > 1 || *headers.find("transfer-encoding") != "chunked")
            return malformed("The only Transfer-Encoding is `chunked`.");
        framing.chunked = true;
    }
    if (lengths > 1)
        return malformed("There must be at most one Content-Length.");
    if (lengths == 1)
    {
        const auto length = parseLength(*headers.find("content-length"));
        if (!length)
            return malformed("Content-Length is no decimal number.");
        framing.contentLength = *length;
    }
    return {};
}

} // namespace

Result<std::size_t> findHead(std::string_view bytes, const HeadLimits& limits)
{
    const std::size_t end = bytes.find("\r\n\r\n");
    const bool whole = end != std::string_view::npos;
    const std::string_view head = bytes.substr(0, whole ? end + 4 : bytes.size());
    const std::string_view line = head.substr(0, head.find("\r\n"));

    if (!hasCleanBytes(head))
        return malformed("The request head has a bare CR or LF or a control character.");
    if (line.size() > limits.targetMax + requestLineExtra)
        return targetTooLong(limits);
    if (head.size() > limits.headMax)
        return headTooLarge(limits);
    if (!whole)
        return std::size_t{0};
    if (!isRequestLine(line))
        return malformed("The request line is not `METHOD target HTTP/1.1`.");
    if (!haveFieldNames(head.substr(line.size() + 2, head.size() - line.size() - 4)))
        return malformed("A header is folded or has no proper name.");
    return head.size();
}

Result<Framing> checkHead(std::string_view method, std::string_view target,
                          std::string_view version, const Headers& headers,
                          const HeadLimits& limits)
{
    if (target.size() > limits.targetMax)
        return targetTooLong(limits);
    if (headers.all().size() > limits.headersMax)
        return headTooLarge(limits);
    if (!isToken(method) || !isTarget(method, target))
        return malformed("The method or the request target is not valid.");
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return malformed("The version must be HTTP/1.1 or HTTP/1.0.");

    Framing framing;
    framing.http11 = version == "HTTP/1.1";
    if (auto host = checkHost(headers, framing.http11); !host)
        return host.error();
    if (auto length = readLength(headers, framing); !length)
        return length.error();
    framing.keepAlive = framing.http11 ? !lists(headers, "connection", "close")
                                       : lists(headers, "connection", "keep-alive");
    framing.expectsContinue = framing.http11 && lists(headers, "expect", "100-continue");
    return framing;
}

} // namespace octostore::http
