// SPDX-License-Identifier: MIT
#include "ServerClient.h"

#include "support/SeenAnswers.h"

#include <octostore/base/Text.h>

#include <Poco/Exception.h>
#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/StreamCopier.h>

#include <chrono>
#include <thread>

namespace octostore::test
{

namespace
{

bool isOverloaded(const ServerAnswer& answer)
{
    constexpr int unavailable = 503;
    return answer.status == unavailable && answer.text("reason") == "overloaded";
}

} // namespace

JsonValue::Object ServerAnswer::json() const
{
    auto object = readJson(body);
    return object ? *std::move(object) : JsonValue::Object();
}

std::string ServerAnswer::text(std::string_view key) const
{
    const JsonValue::Object object = json();
    const auto value = JsonFields(object).optionalString(key);
    return value && *value ? **value : std::string();
}

std::int64_t ServerAnswer::number(std::string_view key) const
{
    const JsonValue::Object object = json();
    const JsonValue* value = JsonFields(object).find(key);
    const std::int64_t* number = value == nullptr ? nullptr : value->asInteger();
    return number == nullptr ? -1 : *number;
}

class ServerClient::Session : public Poco::Net::HTTPClientSession
{
public:
    explicit Session(std::uint16_t port) : HTTPClientSession("127.0.0.1", port)
    {
        setKeepAlive(true);
        setTimeout(Poco::Timespan(120, 0)); // longer than any test waits in the server
    }
};

ServerClient::ServerClient(std::uint16_t port, std::string_view token)
    : _session(std::make_unique<Session>(port)),
      _authorization(token.empty() ? std::string() : "Bearer " + std::string(token))
{
}

ServerClient::~ServerClient() = default;

Result<ServerAnswer> ServerClient::ask(const ServerQuestion& question)
{
    constexpr int tries = 3'000; // of 20 ms
    auto answer = askOnce(question);
    for (int i = 1; i < tries && answer && isOverloaded(*answer); ++i)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        answer = askOnce(question);
    }
    return answer;
}

Result<ServerAnswer> ServerClient::askOnce(const ServerQuestion& question)
{
    try
    {
        Poco::Net::HTTPRequest request(question.method, question.target,
                                       Poco::Net::HTTPMessage::HTTP_1_1);
        const std::string& authorization =
            question.authorization.empty() ? _authorization : question.authorization;
        if (!authorization.empty())
            request.set("Authorization", authorization);
        for (const auto& [name, value] : question.headers)
            request.set(name, value);
        if (question.body)
        {
            request.setContentLength64(static_cast<Poco::Int64>(question.body->size()));
            if (!question.contentType.empty())
                request.setContentType(question.contentType);
        }
        else if (question.method == "POST" || question.method == "PUT")
            request.setContentLength64(0);
        _session->sendRequest(request) << question.body.value_or("") << std::flush;

        Poco::Net::HTTPResponse response;
        ServerAnswer answer;
        Poco::StreamCopier::copyToString(_session->receiveResponse(response), answer.body);
        answer.status = response.getStatus();
        for (const auto& header : response)
            answer.headers[toLower(header.first)] = header.second;
        SeenAnswers::ofThisProcess().note({question.method, question.target, answer.status,
                                           response.getContentType(), answer.body});
        return answer;
    }
    catch (const Poco::Exception& failure)
    {
        _session->reset();
        return Error{ErrorCode::Unavailable, failure.displayText()};
    }
}

Result<ServerAnswer> ServerClient::get(const std::string& target)
{
    ServerQuestion question;
    question.target = target;
    return ask(question);
}

Result<ServerAnswer> ServerClient::post(const std::string& target, const std::string& body)
{
    ServerQuestion question;
    question.method = "POST";
    question.target = target;
    question.body = body;
    return ask(question);
}

} // namespace octostore::test
