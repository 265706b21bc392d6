// SPDX-License-Identifier: MIT
#include "ServerOptions.h"

#include <utility>

#include <unistd.h>

namespace octostore::program
{

Result<ServerOptions> readServerOptions(const Words& arguments, const std::vector<Option>& known)
{
    ServerOptions given;
    Words rest = arguments;
    given.sources.environment = config::readEnvironment(environ);
    if (auto taken = config::takeOptions(rest, given.sources); !taken)
        return taken.error();
    auto options = Options::parse(known, rest);
    if (!options)
        return options.error();
    given.options = *std::move(options);
    return given;
}

std::vector<Option> withServerOptions(std::vector<Option> known)
{
    known.insert(known.begin(),
                 {{"config", 'c', "FILE", "the properties file", false},
                  {"set", 0, "KEY=VALUE", "a key, over file and environment", true}});
    return known;
}

} // namespace octostore::program
