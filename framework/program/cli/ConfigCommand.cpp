// SPDX-License-Identifier: MIT
#include "cli/ConfigCommand.h"

#include "ExitCode.h"
#include "ServerOptions.h"
#include "Settings.h"

#include <octostore/base/Json.h>
#include <octostore/config/SampleFile.h>

#include <iostream>

namespace octostore::program
{

namespace
{

const std::vector<Option> ownConfigOptions = {
    {"origin", 0, "", "print: also where each value comes from", false},
    {"markdown", 0, "", "sample: as a page for people", false},
    {"json", 0, "", "print: one JSON object for each key, with its origin", false},
    {"help", 'h', "", "print this", false}};

bool report(const Settings& settings, const Settings::Problems& problems)
{
    for (const config::Problem& warning : settings.warnings())
        std::cerr << "warning: " << warning.toString() << "\n";
    for (const config::Problem& problem : problems)
        std::cerr << problem.toString() << "\n";
    return problems.empty();
}

int check(const Settings& settings)
{
    Settings::Problems problems = settings.reasonsNotToStart();
    // The server would run without these, but nobody enables a plugin that is not to run.
    problems.insert(problems.end(), settings.missing().begin(), settings.missing().end());
    if (!report(settings, problems))
        return ExitConfiguration;
    std::cout << "The configuration is good.\n";
    return ExitOk;
}

/// A line for each key.
void printJson(const config::Entry& entry)
{
    JsonWriter json;
    json.beginObject()
        .field("key", entry.key)
        .field("origin", entry.origin.place)
        .field("value", entry.shown)
        .endObject();
    std::cout << json.take() << "\n";
}

int print(const Settings& settings, const Options& options)
{
    const bool good = report(settings, settings.problems());
    for (const config::Entry& entry : settings.initial().entries())
    {
        if (options.has("json"))
        {
            printJson(entry);
            continue;
        }
        if (options.has("origin"))
            std::cout << "# " << entry.origin.place << "\n";
        std::cout << entry.key << " = " << entry.shown << "\n";
    }
    return good ? ExitOk : ExitConfiguration;
}

} // namespace

std::vector<Option> configOptions()
{
    return withServerOptions(ownConfigOptions);
}

int configCommand(const Words& arguments)
{
    auto given = readServerOptions(arguments, ownConfigOptions);
    if (!given)
        return usageError(given.error().message, "config");
    if (given->options.has("help"))
    {
        std::cout << "The server's configuration.\n\n"
                     "Usage: octostore config check|print|sample [OPTIONS]\n\n"
                     "check    finds every mistake; exits 78 when there is one\n"
                     "print    every key and its value; secrets are not shown\n"
                     "sample   a properties file with every key at its default\n\n"
                  << Options::describe(configOptions());
        return ExitOk;
    }
    const Words& words = given->options.arguments();
    if (words.size() != 1)
        return usageError("config needs one of check, print and sample", "config");
    Settings settings(given->sources, Settings::Log::Silent);
    if (words[0] == "check")
        return check(settings);
    if (words[0] == "print")
        return print(settings, given->options);
    if (words[0] == "sample")
    {
        std::cout << (given->options.has("markdown") ? config::samplePage(settings.keys())
                                                     : config::sampleFile(settings.keys()));
        return ExitOk;
    }
    return usageError("config has no \"" + words[0] + "\"", "config");
}

} // namespace octostore::program
