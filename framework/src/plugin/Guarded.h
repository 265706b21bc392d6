// SPDX-License-Identifier: MIT
/// @file
/// The one way into a plugin's code: no exception comes out of it.
#pragma once

#include <octostore/base/Api.h>
#include <octostore/base/Result.h>

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

namespace octostore::plugin
{

/// What the exception being handled says. Call it only inside a catch block.
OCTOSTORE_API std::string describeCurrentException() noexcept;

namespace detail
{
template <class T>
struct Flat
{
    using Type = Result<T>;
};
template <class T>
struct Flat<Result<T>>
{
    using Type = Result<T>;
};
} // namespace detail

/// What `call` returns, as a Result; Internal when it throws. Constructors and members that are
/// not noexcept can throw across this line; from a noexcept member an exception ends the process.
template <class Call>
typename detail::Flat<std::invoke_result_t<Call>>::Type guarded(Call&& call) noexcept
{
    using Value = std::invoke_result_t<Call>;
    try
    {
        if constexpr (std::is_void_v<Value>)
        {
            std::forward<Call>(call)();
            return {};
        }
        else
            return std::forward<Call>(call)();
    }
    catch (...)
    {
        return Error{ErrorCode::Internal, "it threw: " + describeCurrentException()};
    }
}

} // namespace octostore::plugin
