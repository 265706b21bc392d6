// SPDX-License-Identifier: MIT
#include "cli/ConfigCommand.h"

#include "ExitCode.h"
#include "ServerOptions.h"
#include "Settings.h"

#include <octostore/config/SampleFile.h>

#include <iostream>

namespace octostore::program
{

namespace
{

const std::vector<Option> configOptions = {
    {"origin", 0, "", "print: also where each value comes from", false},
    {"help", 'h', "", "print this", false}};

bool report(const Settings& settings)
{
    for (const config::Problem& warning : settings.warnings())
        std::cerr << "warning: " << warning.toString() << "\n";
    for (const config::Problem& problem : settings.problems())
        std::cerr << problem.toString() << "\n";
    return settings.problems().empty();
}

int check(Settings& settings)
{
    if (!report(settings))
        return ExitConfiguration;
    const std::vector<Error> errors = settings.plugins().check(settings.initial());
    for (const Error& error : errors)
        std::cerr << error.message << "\n";
    if (!errors.empty())
        return ExitConfiguration;
    std::cout << "The configuration is good.\n";
    return ExitOk;
}

int print(Settings& settings, bool withOrigin)
{
    const bool good = report(settings);
    for (const config::Entry& entry : settings.initial().entries())
    {
        if (withOrigin)
            std::cout << "# " << entry.origin.place << "\n";
        std::cout << entry.key << " = " << entry.shown << "\n";
    }
    return good ? ExitOk : ExitConfiguration;
}

} // namespace

int configCommand(const Words& arguments)
{
    auto given = readServerOptions(arguments, configOptions);
    if (!given)
        return usageError(given.error().message);
    if (given->options.has("help"))
    {
        std::cout << "The server's configuration.\n\n"
                     "Usage: octostore config check|print|sample [OPTIONS]\n\n"
                     "check    finds every mistake; exits 78 when there is one\n"
                     "print    every key and its value; secrets are not shown\n"
                     "sample   a properties file with every key at its default\n\n"
                  << describeServerOptions(configOptions);
        return ExitOk;
    }
    const Words& words = given->options.arguments();
    if (words.size() != 1)
        return usageError("config needs one of check, print and sample");
    Settings settings(given->sources, Settings::Log::Silent);
    if (words[0] == "check")
        return check(settings);
    if (words[0] == "print")
        return print(settings, given->options.has("origin"));
    if (words[0] == "sample")
    {
        std::cout << config::sampleFile(settings.keys());
        return ExitOk;
    }
    return usageError("config has no \"" + words[0] + "\"");
}

} // namespace octostore::program
