// SPDX-License-Identifier: MIT
/// @file
/// A plugin that does as its build says: SAMPLE_ID, SAMPLE_REQUIRED, and the step it fails at.
#include <octostore/plugin/Door.h>

#include <stdexcept>
#include <string_view>

namespace octostore::sample
{

constexpr std::string_view failsAt = SAMPLE_FAILS_AT;

// Two bases, so that the extension's address is not the plugin's.
class Sample final : public plugin::Plugin, public plugin::HealthCheck
{
public:
    Sample()
    {
        if (failsAt == "constructor")
            throw std::runtime_error("no luck");
        if (failsAt == "constructor with a number")
            throw 42;
    }

    Result<void> configure(const plugin::Context& context) noexcept override
    {
        _logger = context.logger;
        return step("configure");
    }

    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override
    {
        registry.contribute<plugin::HealthCheck>(SAMPLE_ID, *this);
        return step("start");
    }

    Result<void> reload(const config::View& configuration) noexcept override
    {
        _logger.info("reload " + configuration.text("sample"));
        return configuration.text("sample") == failsAt
                   ? Error{ErrorCode::Configuration, "not this one"}
                   : Result<void>{};
    }

    std::vector<config::Key> keys() const override
    {
        config::Key key;
        key.name = SAMPLE_ID ".color";
        return {key};
    }

    void drain() noexcept override { _logger.info("drain"); }
    void stop() noexcept override { _logger.info("stop"); }

    std::string_view name() const noexcept override { return SAMPLE_ID; }
    Result<void> ready() const noexcept override { return {}; }

private:
    Result<void> step(std::string_view which) noexcept
    {
        _logger.info(which);
        if (failsAt == which)
            return Error{ErrorCode::Configuration, "told to fail"};
        return {};
    }

    Logger _logger;
};

} // namespace octostore::sample

OCTOSTORE_PLUGIN(octostore::sample::Sample, SAMPLE_ID, "1.2.3", SAMPLE_REQUIRED, "health.check/1")
