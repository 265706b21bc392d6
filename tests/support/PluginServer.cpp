// SPDX-License-Identifier: MIT
#include "PluginServer.h"

#include <octostore/config/KeyTable.h>

#include <gtest/gtest.h>

#include <filesystem>

namespace octostore::test
{

namespace
{

bool servesRequests(const plugin::PluginState& state)
{
    return state.provided.find("http.routes/1") != std::string::npos ||
           state.provided.find("http.filter/1") != std::string::npos;
}

} // namespace

PluginServer::PluginServer(const std::vector<std::string>& more)
    : _backend(std::make_shared<memory::MemoryStore>()),
      _plugins({OCTOSTORE_PLUGIN_DIRECTORY, {}}, _server.registry(), Logger())
{
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(OCTOSTORE_PLUGIN_DIRECTORY))
        if (entry.path().extension() == ".so")
            files.push_back(entry.path().stem());
    EXPECT_TRUE(_plugins.load(files));
    for (const plugin::PluginState& state : _plugins.states())
        if (servesRequests(state))
            _names.push_back(state.id);
    configure(more);

    const plugin::Context base = _server.context();
    const plugin::Context context{base.logger,      *_configuration, base.clock, base.random,
                                  base.coordinator, &_backend,       &_journal};
    EXPECT_TRUE(_plugins.configure(_names, context));
    EXPECT_TRUE(_plugins.start(_names));
    for (const plugin::PluginState& state : _plugins.states())
        EXPECT_TRUE(!servesRequests(state) || state.state == plugin::State::Started)
            << state.id << ": " << state.reason;
}

PluginServer::~PluginServer()
{
    _plugins.clear();
}

void PluginServer::configure(const std::vector<std::string>& more)
{
    config::KeyTable keys = config::serverKeys();
    EXPECT_TRUE(keys.add(_plugins.keys()));
    config::Sources sources;
    sources.settings = {"server.bind=127.0.0.1:0", "auth.local_registration=true",
                        "storage.database=" + _directory.file("x.db")};
    sources.settings.insert(sources.settings.end(), more.begin(), more.end());
    sources.directory = _directory.path();
    sources.systemFile.clear();
    auto loaded = config::Configuration::load(keys, sources);
    EXPECT_TRUE(loaded.problems.empty()) << loaded.problems.front().toString();
    _configuration = std::move(loaded.configuration);
}

void PluginServer::drain()
{
    _plugins.drain();
    _server.coordinator().refuseAll(ErrorCode::Draining);
}

} // namespace octostore::test
