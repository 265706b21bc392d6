// SPDX-License-Identifier: MIT
#include "CompletionCommand.h"

#include "BackupCommand.h"
#include "BenchCommand.h"
#include "ConfigCommand.h"
#include "EventsCommand.h"
#include "ExitCode.h"
#include "PluginCommand.h"
#include "RestoreCommand.h"
#include "RunOptions.h"
#include "ServeCommand.h"
#include "Subject.h"
#include "Verb.h"

#include <iostream>
#include <string>
#include <utility>

namespace octostore::program
{

namespace
{

/// What can be typed behind a command's name.
struct Place
{
    std::string word; ///< the second word; empty: the command has none, or it is not there yet
    std::vector<Option> options;
};

struct Group
{
    std::string name;
    std::vector<Option> options; ///< before there is a second word
    std::vector<Place> places;
};

/// `words` are second words that all take the same options.
Group alike(std::string name, const std::vector<std::string>& words, std::vector<Option> options)
{
    Group group{std::move(name), std::move(options), {}};
    for (const std::string& word : words)
        group.places.push_back({word, group.options});
    return group;
}

Group ofVerbs(std::string name, const std::vector<Verb>& verbs)
{
    Group group{std::move(name), {{"help", 'h', "", ""}}, {}};
    for (const Verb& verb : verbs)
        group.places.push_back({std::string(verb.name), verb.options + clientOptions()});
    return group;
}

Group ofSubject(client::HoldKind kind, const std::vector<Verb>& verbs)
{
    Group group = ofVerbs(std::string(client::toText(kind)), verbs);
    group.places.push_back({"hold", knownHoldOptions(kind)});
    group.places.push_back({"status", clientOptions()});
    group.places.push_back({"watch", clientOptions()});
    if (kind == client::HoldKind::Election)
        group.places.push_back({"create", clientOptions()});
    return group;
}

std::vector<Group> groups()
{
    return {
        ofVerbs("admin", adminVerbs()),
        alike("backup", {}, backupOptions()),
        alike("bench", {"acquire", "elections", "locks", "mix", "renew", "status"}, benchOptions()),
        alike("completion", {"bash"}, {}),
        alike("config", {"check", "print", "sample"}, configOptions()),
        alike("doctor", {}, clientOptions()),
        ofSubject(client::HoldKind::Election, electionVerbs()),
        alike("events", {}, eventsOptions()),
        ofSubject(client::HoldKind::Lock, lockVerbs()),
        alike("plugin", {"inspect", "list"}, pluginOptions()),
        alike("restore", {}, restoreOptions()),
        alike("run", {}, knownRunOptions()),
        alike("serve", {}, serveOptions()),
        ofVerbs("session", sessionVerbs()),
        ofVerbs("token", tokenVerbs()),
        ofVerbs("webhook", webhookVerbs())};
}

std::string optionWords(const std::vector<Option>& options)
{
    std::string words;
    for (const Option& option : options)
        words += (words.empty() ? "--" : " --") + option.name;
    return words;
}

std::string assignment(const std::string& words, const std::vector<Option>& options)
{
    return "words=\"" + words + "\" options=\"" + optionWords(options) + "\" ;;\n";
}

/// The branch of the script's `case` for one command.
std::string branchOf(const Group& group)
{
    if (group.places.empty())
        return "        " + group.name + ") " + assignment("", group.options);
    std::string words, branches;
    for (const Place& place : group.places)
    {
        words += (words.empty() ? "" : " ") + place.word;
        branches += "            *:" + place.word + ") " + assignment("", place.options);
    }
    return "        " + group.name + ") case $COMP_CWORD:${COMP_WORDS[2]} in\n            2:*) " +
           assignment(words, group.options) + branches + "        esac ;;\n";
}

std::string bashScript()
{
    std::string names, branches;
    for (const Group& group : groups())
    {
        names += (names.empty() ? "" : " ") + group.name;
        branches += branchOf(group);
    }
    return "# bash completion of octostore: source <(octostore completion bash)\n"
           "_octostore() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} words= options= i\n"
           "    COMPREPLY=()\n"
           "    # What stands behind -- is another program's.\n"
           "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
           "        [ \"${COMP_WORDS[i]}\" != -- ] || return 0\n"
           "    done\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
           "        words=\"" +
           names +
           "\" options=\"--help --version\"\n"
           "    else\n"
           "        case ${COMP_WORDS[1]} in\n" +
           branches +
           "        esac\n"
           "    fi\n"
           "    # Files may be meant as long as no dash is there.\n"
           "    case $word in -*) words=$options ;; esac\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "}\n"
           "complete -o default -F _octostore octostore\n";
}

} // namespace

int completionCommand(const Words& arguments)
{
    if (arguments.size() == 1 && asksForHelp(arguments))
    {
        std::cout << "octostore completion bash: prints a script for bash to source.\n";
        return ExitOk;
    }
    if (arguments.size() != 1 || arguments.front() != "bash")
        return usageError("completion needs a shell: bash");
    std::cout << bashScript();
    return ExitOk;
}

} // namespace octostore::program
