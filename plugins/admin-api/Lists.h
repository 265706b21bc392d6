// SPDX-License-Identifier: MIT
/// @file
/// Copies of what there is, as pages.
#pragma once

#include "ListQuery.h"

#include <octostore/base/Time.h>
#include <octostore/coordination/Reply.h>
#include <octostore/http/Identity.h>
#include <octostore/http/Message.h>

#include <string>
#include <vector>

namespace octostore::admin_api
{

/// When and for whom a page is made.
struct Reader
{
    BootTime now;
    const std::string* known = nullptr; ///< If-None-Match; null: none came
};

http::Response lockPage(const coordination::NameSurvey& survey, const ListQuery& query,
                        const Reader& reader);
http::Response electionPage(const coordination::NameSurvey& survey, const ListQuery& query,
                            const Reader& reader);
http::Response sessionPage(const coordination::SessionSurvey& survey, const ListQuery& query,
                           const Reader& reader);
http::Response accountPage(const std::vector<http::Account>& accounts, const ListQuery& query,
                           const Reader& reader);

} // namespace octostore::admin_api
