// SPDX-License-Identifier: MIT
#include "BlockingChannel.h"

#include <utility>

namespace octostore::http_poco
{

void BlockingChannel::send(http::Response response) noexcept
{
    _answer = Answer{std::move(response), nullptr, _served.lock()};
}

std::shared_ptr<http::Stream> BlockingChannel::openStream(http::Response head) noexcept
{
    // A task in the inbox wakes the thread, and that is all it needs.
    auto stream = std::make_shared<http::StreamQueue>(_inbox, _streamBufferMax, [] {});
    _answer = Answer{std::move(head), stream, _served.lock()};
    return stream;
}

std::optional<BlockingChannel::Answer> BlockingChannel::take()
{
    return std::exchange(_answer, std::nullopt);
}

} // namespace octostore::http_poco
