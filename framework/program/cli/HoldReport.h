// SPDX-License-Identifier: MIT
/// @file
/// Tells a program or a person how a hold fares.
#pragma once

#include "Claim.h"
#include "LineOutput.h"

#include <octostore/client/HoldEvents.h>

#include <memory>
#include <string>

namespace octostore::program
{

/// Thread-safety: thread-compatible.
class HoldReport
{
public:
    HoldReport() = default;
    virtual ~HoldReport();
    HoldReport(const HoldReport&) = delete;
    HoldReport& operator=(const HoldReport&) = delete;

    virtual void waiting(const Refused& refused) = 0;
    virtual void retrying(const client::Failure& failure, Milliseconds pause) = 0;
    virtual void won(const client::LeaseFacts& lease, BootTime deadline) = 0;
    virtual void renewed(const client::LeaseFacts& lease, BootTime deadline) = 0;
    virtual void released(std::uint64_t term, const std::string& reason) = 0;
    virtual void lost(const client::LeaseFacts& lease, const std::string& reason) = 0;
    virtual void uncertain(const client::LeaseFacts& lease, const std::string& reason) = 0;
    virtual void failed(const std::string& reason, const std::string& message) = 0;
    /// Time has passed; for a line that shows it.
    virtual void tick(BootTime /*now*/) {}
    /// When tick() wants to be called again.
    virtual std::optional<BootTime> next() const { return std::nullopt; }
};

/// JSON lines on `output`; what needs a person's attention also as text on standard error.
/// `output` and `clock` must outlive the report.
std::unique_ptr<HoldReport> makeJsonReport(client::HoldSubject subject, LineOutput& output,
                                           const Clock& clock);
enum class TextStyle
{
    Full,
    Live,  ///< for a terminal: one line that is kept up to date
    Brief, ///< without renewals
};

/// Text on `output`, which must outlive the report.
std::unique_ptr<HoldReport> makeTextReport(client::HoldSubject subject, LineOutput& output,
                                           TextStyle style);

} // namespace octostore::program
