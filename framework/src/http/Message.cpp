// SPDX-License-Identifier: MIT
#include <octostore/base/Text.h>
#include <octostore/http/Message.h>

#include <algorithm>
#include <array>
#include <utility>

namespace octostore::http
{

namespace
{

struct NamedMethod
{
    std::string_view name;
    Method method;
};

constexpr std::array<NamedMethod, 7> methods{{{"GET", Method::Get},
                                              {"HEAD", Method::Head},
                                              {"POST", Method::Post},
                                              {"PUT", Method::Put},
                                              {"PATCH", Method::Patch},
                                              {"DELETE", Method::Delete},
                                              {"OPTIONS", Method::Options}}};

} // namespace

Method parseMethod(std::string_view text) noexcept
{
    const auto* found = std::find_if(methods.begin(), methods.end(),
                                     [text](const NamedMethod& m) { return m.name == text; });
    return found == methods.end() ? Method::Other : found->method;
}

std::string_view methodName(Method method) noexcept
{
    const auto* found = std::find_if(methods.begin(), methods.end(),
                                     [method](const NamedMethod& m) { return m.method == method; });
    return found == methods.end() ? std::string_view("OTHER") : found->name;
}

void Headers::add(std::string name, std::string value)
{
    _headers.push_back({std::move(name), std::move(value)});
}

void Headers::set(std::string_view name, std::string value)
{
    const auto same = [name](const Header& h) { return equalIgnoringCase(h.name, name); };
    const auto first = std::find_if(_headers.begin(), _headers.end(), same);
    if (first == _headers.end())
    {
        add(std::string(name), std::move(value));
        return;
    }
    first->value = std::move(value);
    _headers.erase(std::remove_if(std::next(first), _headers.end(), same), _headers.end());
}

const std::string* Headers::find(std::string_view name) const noexcept
{
    for (const Header& header : _headers)
    {
        if (equalIgnoringCase(header.name, name))
            return &header.value;
    }
    return nullptr;
}

std::size_t Headers::count(std::string_view name) const noexcept
{
    return static_cast<std::size_t>(std::count_if(_headers.begin(), _headers.end(),
                                                  [name](const Header& h)
                                                  { return equalIgnoringCase(h.name, name); }));
}

std::string_view Request::path() const noexcept
{
    return std::string_view(target).substr(0, target.find('?'));
}

std::string_view Request::query() const noexcept
{
    const std::size_t mark = target.find('?');
    return mark == std::string::npos ? std::string_view()
                                     : std::string_view(target).substr(mark + 1);
}

Response emptyResponse()
{
    Response response;
    response.status = 204;
    return response;
}

Response jsonResponse(std::string json, int status)
{
    Response response;
    response.status = status;
    response.headers.add("content-type", "application/json");
    response.body = std::move(json);
    return response;
}

} // namespace octostore::http
