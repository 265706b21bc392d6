// SPDX-License-Identifier: MIT
#include "CredentialsInUse.h"

#include <octostore/base/Assert.h>
#include <octostore/http/ErrorResponse.h>
#include <octostore/http/Exchange.h>
#include <octostore/http/Route.h>
#include <octostore/http/StreamQueue.h>

#include <utility>

namespace octostore::http
{

Stream::~Stream() = default;
Channel::~Channel() = default;

Exchange::Exchange(Request request, RequestId id, std::shared_ptr<Channel> channel)
    : _request(std::move(request)),
      _id(id),
      _channel(std::move(channel)),
      _executor(_channel->executor())
{
}

Exchange::~Exchange()
{
    if (_answered)
        return;
    // Any thread may let go last, and only the exchange's own may use the channel.
    const Response response = errorResponse({ErrorCode::Internal, {}}, _id);
    _executor->post({[channel = std::move(_channel), response] { channel->send(response); }});
}

const std::string& Exchange::parameter(std::string_view name) const
{
    const auto found = _parameters.find(name);
    OCTOSTORE_ASSERT(found != _parameters.end());
    return found->second;
}

const Identity& Exchange::caller() const
{
    OCTOSTORE_ASSERT(_identity.has_value());
    return *_identity;
}

void Exchange::respond(Response response) noexcept
{
    if (_answered)
        return;
    finish(response);
    if (_left)
        delivered(false);
    else
        _channel->send(std::move(response));
}

void Exchange::respond(const Error& error) noexcept
{
    respond(errorResponse(error, _id));
}

std::shared_ptr<Stream> Exchange::respondWithStream(Response head) noexcept
{
    if (!_answered)
    {
        finish(head);
        if (!_left)
            return _channel->openStream(std::move(head));
        delivered(false);
    }
    auto ended = std::make_shared<StreamQueue>(_executor, 0, [] {});
    ended->end();
    return ended;
}

/// Runs the finisher and lets go of what callbacks hold: they may hold this exchange.
void Exchange::finish(Response& response)
{
    _answered = true;
    _abandoned = nullptr;
    if (const auto finisher = std::exchange(_finisher, nullptr))
        finisher(*this, response);
}

void Exchange::onAbandoned(Task left)
{
    if (_left)
        left();
    else if (!_answered)
        _abandoned = std::move(left);
}

void Exchange::onDelivered(std::function<void(bool)> done)
{
    if (_whole)
        done(*_whole);
    else
        _delivered = std::move(done);
}

CredentialHold Exchange::onRevoked(Task revoked)
{
    if (_credentials == nullptr || !_identity)
        return nullptr;
    return _credentials->enter(*_identity, _executor, std::move(revoked));
}

void Exchange::abandoned() noexcept
{
    if (_answered || _left)
        return;
    _left = true;
    if (const Task left = std::exchange(_abandoned, nullptr))
        left();
    // There may never be an answer, and filters that were asked must see an end.
    if (const auto finisher = std::exchange(_finisher, nullptr))
    {
        Response unsent;
        unsent.status = clientLeft;
        finisher(*this, unsent);
    }
}

void Exchange::delivered(bool whole) noexcept
{
    if (_whole)
        return;
    _whole = whole;
    if (const auto done = std::exchange(_delivered, nullptr))
        done(whole);
}

void Exchange::setFinisher(std::function<void(Exchange&, Response&)> finisher)
{
    _finisher = std::move(finisher);
}

} // namespace octostore::http
