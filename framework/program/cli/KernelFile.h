// SPDX-License-Identifier: MIT
/// @file
/// Telling the kernel something through a file of /proc or /sys.
#pragma once

#include <string>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

namespace octostore::program
{

/// The kernel takes what is told in one write, or not at all.
inline bool tellKernel(const std::string& file, std::string_view text)
{
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const bool written =
        ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(descriptor);
    return written;
}

} // namespace octostore::program
