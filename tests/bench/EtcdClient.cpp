// SPDX-License-Identifier: MIT
#include "EtcdClient.h"

#include <utility>

namespace octostore::bench
{

namespace
{

constexpr std::size_t valueSize = 200;

/// The gateway wants standard base64 with padding.
std::string base64(std::string_view text)
{
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < text.size(); i += 3)
    {
        std::uint32_t group = 0;
        for (std::size_t j = 0; j < 3; ++j)
            group =
                group << 8 | (i + j < text.size() ? static_cast<unsigned char>(text[i + j]) : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            out += i + j > text.size() ? '=' : digits[group >> (18 - 6 * j) & 63];
    }
    return out;
}

} // namespace

EtcdClient::EtcdClient(const std::string& authority, std::string run, std::size_t first,
                       std::size_t stride)
    : _head("POST /v3/kv/put HTTP/1.1\r\nHost: " + authority +
            "\r\nContent-Type: application/json\r\nContent-Length: "),
      _run(std::move(run)),
      _value(base64(std::string(valueSize, 'v'))),
      _number(first),
      _stride(stride)
{
}

std::optional<Operation> EtcdClient::next(Phase phase, std::string& out)
{
    if (phase != Phase::Load)
        return std::nullopt;
    const std::string body = "{\"key\":\"" + base64(_run + "-" + std::to_string(_number)) +
                             "\",\"value\":\"" + _value + "\"}";
    _number += _stride;
    out.append(_head).append(std::to_string(body.size())).append("\r\n\r\n").append(body);
    return Operation::Other;
}

Verdict EtcdClient::answered(const Answer& answer)
{
    return answer.status == 200 ? Verdict::Good : Verdict::Failed;
}

} // namespace octostore::bench
