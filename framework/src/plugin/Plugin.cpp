// SPDX-License-Identifier: MIT
#include <octostore/plugin/Plugin.h>
#include <octostore/plugin/PluginState.h>
#include <octostore/plugin/ServerControl.h>

namespace octostore::plugin
{

Plugin::Plugin() = default;
Plugin::~Plugin() = default;

std::vector<config::Key> Plugin::keys() const
{
    return {};
}

Result<void> Plugin::check(const config::View& /*configuration*/) const noexcept
{
    return {};
}

void Plugin::drain() noexcept {}

Result<void> Plugin::reload(const config::View& /*configuration*/) noexcept
{
    return {};
}

HealthCheck::~HealthCheck() = default;
PluginStates::~PluginStates() = default;
ServerControl::~ServerControl() = default;

std::string_view stateName(State state) noexcept
{
    switch (state)
    {
    case State::Described:
        return "described";
    case State::Configured:
        return "configured";
    case State::Started:
        return "started";
    case State::Failed:
        return "failed";
    case State::Stopped:
        return "stopped";
    }
    return "unknown";
}

} // namespace octostore::plugin
