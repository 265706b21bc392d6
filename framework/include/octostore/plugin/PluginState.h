// SPDX-License-Identifier: MIT
/// @file
/// Which plugins the server knows and how each of them is doing.
#pragma once

#include <octostore/base/Api.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace octostore::plugin
{

enum class State : std::uint8_t
{
    Described,  ///< its file was accepted
    Configured, ///< it accepted its configuration
    Started,
    Failed, ///< `reason` says why; the server runs without it
    Stopped,
};

OCTOSTORE_API std::string_view stateName(State state) noexcept;

struct PluginState
{
    std::string id;
    std::string version;  ///< empty when the file could not be read
    std::string provided; ///< the extension points it adds to, separated by blanks
    State state = State::Described;
    std::string reason;
    std::uint64_t errors = 0; ///< calls of its code that threw or failed while it ran
};

/// Extension point, contributed by the server itself: the state of every plugin.
/// Thread-safety: thread-safe.
class OCTOSTORE_API PluginStates
{
public:
    static constexpr std::string_view extensionPoint = "plugin.states/1";
    virtual ~PluginStates();
    /// In the order in which they were named.
    virtual std::vector<PluginState> states() const noexcept = 0;
};

} // namespace octostore::plugin
