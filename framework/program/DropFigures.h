// SPDX-License-Identifier: MIT
/// @file
/// What plugins were not told because too much had gathered for them.
#pragma once

#include "event/Publisher.h"

#include <octostore/metrics/Source.h>

#include <string>
#include <vector>

namespace octostore::program
{

/// Thread-safety: thread-safe, but watch(), which comes before the first collect().
class DropFigures final : public metrics::Source
{
public:
    /// `publisher` must outlive the last collect(). `consumers`: the plugins it tells.
    void watch(const event::Publisher& publisher, std::vector<std::string> consumers);
    void collect(metrics::Sink& sink) const noexcept override;

private:
    const event::Publisher* _publisher = nullptr;
    std::vector<std::string> _consumers; ///< each once
};

} // namespace octostore::program
