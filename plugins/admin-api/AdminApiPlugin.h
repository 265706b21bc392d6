// SPDX-License-Identifier: MIT
/// @file
/// The administration over HTTP.
#pragma once

#include "ActionRoutes.h"
#include "BackupRoutes.h"
#include "ListRoutes.h"
#include "StatusRoutes.h"
#include "Surroundings.h"
#include "Surveys.h"

#include <octostore/http/Route.h>
#include <octostore/plugin/Plugin.h>

#include <memory>
#include <vector>

namespace octostore::admin_api
{

/// Thread-safety: thread-affine(the program's main thread).
class AdminApiPlugin final : public plugin::Plugin, public http::RouteProvider
{
public:
    Result<void> configure(const plugin::Context& context) noexcept override;
    Result<void> start(plugin::ExtensionRegistry& registry) noexcept override;
    void drain() noexcept override;
    void stop() noexcept override;

    std::vector<http::Route> routes() override;

private:
    /// Everything that exists from start() on.
    struct Parts
    {
        explicit Parts(Surroundings given)
            : around(std::move(given)),
              surveys(around),
              lists(around, surveys),
              status(around, surveys),
              actions(around),
              backups(around)
        {
        }
        const Surroundings around;
        Surveys surveys;
        const ListRoutes lists;
        const StatusRoutes status;
        const ActionRoutes actions;
        BackupRoutes backups;
    };

    const plugin::Context* _context = nullptr;
    WorkThread _lists{"admin-lists"};
    std::unique_ptr<Parts> _parts;
};

} // namespace octostore::admin_api
