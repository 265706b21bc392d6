// SPDX-License-Identifier: MIT
/// @file
/// bench_scenarios SCENARIO [--NAME VALUE]...
#include "Scenarios.h"

#include <octostore/base/Digest.h>
#include <octostore/base/Random.h>
#include <octostore/client/ServerUrl.h>

#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include <sys/resource.h>

namespace octostore::bench
{

namespace
{

using Scenario = Result<void> (*)(const Setting&);

const std::map<std::string, Scenario> scenarios = {
    {"disk", &diskScenario},       {"etcd", &etcdScenario},       {"hand-over", &handOverScenario},
    {"expiry", &expiryScenario},   {"fill", &fillScenario},       {"storm", &stormScenario},
    {"crowd", &crowdScenario},     {"streams", &streamsScenario}, {"webhooks", &webhooksScenario},
    {"hanging", &hangingScenario},
};

Result<void> setServer(Setting& setting, const std::string& value)
{
    const auto url = client::ServerUrl::parse(value);
    if (!url)
        return url.error();
    setting.host = url->host();
    setting.port = url->port();
    setting.authority = url->authority();
    return {};
}

Result<void> set(Setting& setting, const std::string& name, const std::string& value)
{
    if (name == "--server")
        return setServer(setting, value);
    if (name == "--directory")
        setting.directory = value;
    else if (name == "--connections")
        setting.connections = std::stoul(value);
    else if (name == "--names")
        setting.names = std::stoul(value);
    else if (name == "--rooms")
        setting.rooms = std::stoul(value);
    else if (name == "--idle")
        setting.idle = std::stoul(value);
    else if (name == "--waiters")
        setting.waiters = std::stoul(value);
    else if (name == "--streams")
        setting.streams = std::stoul(value);
    else if (name == "--hooks")
        setting.hooks = std::stoul(value);
    else if (name == "--seconds")
        setting.duration = std::chrono::seconds(std::stoul(value));
    else if (name == "--milliseconds")
        setting.duration = std::chrono::milliseconds(std::stoul(value));
    else
        return Error{ErrorCode::InvalidInput, "there is no option " + name};
    return {};
}

int run(const std::vector<std::string>& words)
{
    const auto found = words.empty() ? scenarios.end() : scenarios.find(words[0]);
    if (found == scenarios.end() || words.size() % 2 == 0)
    {
        std::cerr << "bench_scenarios SCENARIO [--NAME VALUE]...: see tests/bench/README.md\n";
        return 64;
    }
    Setting setting;
    SystemRandom random;
    setting.run = toHex(random.bytes<4>());
    if (const char* token = std::getenv("OCTOSTORE_TOKEN"))
        setting.token = token;
    for (std::size_t i = 1; i < words.size(); i += 2)
    {
        if (auto done = set(setting, words[i], words[i + 1]); !done)
        {
            std::cerr << done.error().message << "\n";
            return 64;
        }
    }
    rlimit descriptors{};
    ::getrlimit(RLIMIT_NOFILE, &descriptors);
    descriptors.rlim_cur = descriptors.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &descriptors);
    if (const auto done = found->second(setting); !done)
    {
        std::cerr << words[0] << ": " << done.error().message << "\n";
        return 1;
    }
    return 0;
}

} // namespace

} // namespace octostore::bench

int main(int argc, char** argv)
{
    try
    {
        return octostore::bench::run({argv + 1, argv + argc});
    }
    catch (const std::exception& fault)
    {
        std::cerr << fault.what() << "\n";
        return 1;
    }
}
