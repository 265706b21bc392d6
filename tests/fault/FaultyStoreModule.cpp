// SPDX-License-Identifier: MIT
/// @file
/// The SQLite backend with a FaultDisk below it, for the real program. The variable FAULT_PLAN
/// names the file in which the test keeps its plan.
#include "FaultVfs.h"
#include "SharedPlan.h"
#include "SqlitePlugin.h"

#include <octostore/plugin/Door.h>

#include <cstdlib>

namespace octostore::test
{

/// Thread-safety: thread-compatible.
class FaultyStorePlugin final : public plugin::Plugin
{
public:
    Result<void> configure(const plugin::Context& context) noexcept override
    {
        // Never freed: databases are closed after plugins are.
        auto* const plan = new SharedPlan(std::getenv("FAULT_PLAN")); // NOLINT
        auto* const disk = new FaultDisk(**plan, false);
        new FaultVfs("faulty", *disk, true);
        return _store.configure(context);
    }
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override
    {
        return _store.start(registry);
    }
    void stop() noexcept override { _store.stop(); }

private:
    sqlite::SqlitePlugin _store;
};

} // namespace octostore::test

OCTOSTORE_PLUGIN(octostore::test::FaultyStorePlugin, "backend-sqlite", "1.0.0", "",
                 "backend.factory/1")
