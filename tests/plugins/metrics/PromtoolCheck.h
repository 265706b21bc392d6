// SPDX-License-Identifier: MIT
/// @file
/// Asks promtool what it thinks.
#pragma once

#include "support/TemporaryDirectory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace octostore::test
{

/// Runs `promtool arguments` with `input`. Empty: it has no objection; else what it says.
inline std::string promtool(const std::string& arguments, const std::string& input = {})
{
    if (std::string(OCTOSTORE_PROMTOOL).find("NOTFOUND") != std::string::npos)
        return "there is no promtool: install the package prometheus and configure again";
    const TemporaryDirectory directory;
    const auto in = directory.path() / "in";
    const auto out = directory.path() / "out";
    std::ofstream(in) << input;
    const std::string command = std::string(OCTOSTORE_PROMTOOL) + " " + arguments + " < '" +
                                in.string() + "' > '" + out.string() + "' 2>&1";
    const int status = std::system(command.c_str());
    std::ostringstream said;
    said << std::ifstream(out).rdbuf();
    if (status == 0)
        return {};
    return said.str().empty() ? "promtool failed without a word" : said.str();
}

} // namespace octostore::test
