// SPDX-License-Identifier: MIT
#include "Verb.h"

#include "ExitCode.h"
#include "OneShot.h"

#include <algorithm>
#include <iostream>
#include <sstream>

namespace octostore::program
{

namespace
{

struct Arity
{
    std::size_t least = 0;
    std::size_t most = 0;
};

Arity arityOf(std::string_view arguments)
{
    Arity arity;
    std::istringstream words{std::string(arguments)};
    for (std::string word; words >> word; ++arity.most)
        arity.least += word.front() != '[';
    return arity;
}

std::string usage(const VerbGroup& group, const Verb& verb)
{
    std::string text = "octostore " + std::string(group.name) + " " + std::string(verb.name);
    if (!verb.arguments.empty())
        text += " " + std::string(verb.arguments);
    return text;
}

} // namespace

std::string describeVerbs(const std::vector<Verb>& verbs)
{
    constexpr std::size_t summaryColumn = 30;
    std::string text;
    for (const Verb& verb : verbs)
    {
        std::string line = "  " + std::string(verb.name) + " " + std::string(verb.arguments);
        line.resize(std::max(line.size() + 2, summaryColumn), ' ');
        text += line + std::string(verb.summary) + "\n";
    }
    return text;
}

int runVerb(const VerbGroup& group, const Words& words)
{
    if (words.empty() || asksForHelp(words))
    {
        // What was not asked for is not a command's output.
        (words.empty() ? std::cerr : std::cout)
            << "octostore " << group.name << " COMMAND: " << group.summary << "\n\n"
            << describeVerbs(group.verbs) << "\nEach has --help.\n";
        return words.empty() ? ExitUsage : ExitOk;
    }
    const auto verb = std::find_if(group.verbs.begin(), group.verbs.end(),
                                   [&](const Verb& v) { return v.name == words.front(); });
    if (verb == group.verbs.end())
        return usageError(std::string(group.name) + " has no command \"" + words.front() + "\"",
                          std::string(group.name));
    const std::string name = std::string(group.name) + " " + words.front();
    const std::vector<Option> known = verb->options + clientOptions();
    const auto options = Options::parse(known, Words(words.begin() + 1, words.end()));
    if (!options)
        return usageError(options.error().message, name);
    if (options->has("help"))
    {
        std::cout << usage(group, *verb) << ": " << verb->summary << "\n\n"
                  << Options::describe(known);
        return ExitOk;
    }
    const Arity arity = arityOf(verb->arguments);
    const std::size_t given = options->arguments().size();
    if (given < arity.least || given > arity.most)
        return usageError("usage: " + usage(group, *verb), name);
    auto remote = Remote::open(*options, verb->credential);
    if (!remote)
        return refuse(remote.error());
    leave(verb->run(*remote, *options));
}

std::string endedLine(std::string_view status, std::string_view id, const Options& options)
{
    JsonWriter json;
    json.beginObject()
        .field(id, std::string_view(options.arguments().front()))
        .field("status", status)
        .endObject();
    return json.take() + "\n";
}

int sessionCommand(const Words& arguments)
{
    return runVerb({"session", "a client's liveness, which locks can be tied to", sessionVerbs()},
                   arguments);
}

int webhookCommand(const Words& arguments)
{
    return runVerb({"webhook", "who is told of changes", webhookVerbs()}, arguments);
}

int tokenCommand(const Words& arguments)
{
    return runVerb({"token", "the caller's own token", tokenVerbs()}, arguments);
}

int adminCommand(const Words& arguments)
{
    return runVerb({"admin", "what administrators and observers may see", adminVerbs()}, arguments);
}

} // namespace octostore::program
