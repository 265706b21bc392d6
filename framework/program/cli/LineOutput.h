// SPDX-License-Identifier: MIT
/// @file
/// Writes lines without ever waiting for a reader.
#pragma once

#include <octostore/base/Time.h>

#include <string>
#include <string_view>
#include <vector>

#include <poll.h>

namespace octostore::program
{

/// A reader that has stopped reading must not stop the renewals: what cannot be written at once is
/// kept, up to a limit. Thread-safety: thread-compatible.
class LineOutput
{
public:
    /// Does not close the descriptor. -1: nothing is written.
    explicit LineOutput(int descriptor) noexcept : _descriptor(descriptor) {}

    /// The text and a line end.
    void line(std::string_view text) { raw(std::string(text) + "\n"); }
    void raw(std::string_view text);
    /// What to poll for when something is left; empty when not.
    std::vector<pollfd> wanted() const;
    /// Writes as much as goes without waiting.
    void flush();
    /// Writes the rest, but waits no longer than that.
    void finish(Milliseconds most);

    /// Nothing can be written any more.
    bool broken() const noexcept { return _broken; }
    /// Lines were lost although there is a reader: a full disk.
    bool lost() const noexcept { return _lost; }

private:
    bool ready(Milliseconds most) const;

    const int _descriptor;
    std::string _rest;
    bool _broken = false;
    bool _lost = false;
};

} // namespace octostore::program
