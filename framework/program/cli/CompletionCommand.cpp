// SPDX-License-Identifier: MIT
#include "CompletionCommand.h"

#include "ExitCode.h"
#include "Verb.h"

#include <iostream>
#include <set>
#include <string>

namespace octostore::program
{

namespace
{

struct Group
{
    std::string_view name;
    std::string_view more; ///< second words that are no verbs of the table
    const std::vector<Verb>* verbs = nullptr;
};

/// Every command and its second words.
std::vector<Group> groups()
{
    return {{"admin", "", &adminVerbs()},
            {"backup", "", nullptr},
            {"bench", "", nullptr},
            {"completion", "bash", nullptr},
            {"config", "check print sample", nullptr},
            {"doctor", "", nullptr},
            {"election", "create hold status watch", &electionVerbs()},
            {"events", "", nullptr},
            {"lock", "hold status watch", &lockVerbs()},
            {"plugin", "inspect list", nullptr},
            {"restore", "", nullptr},
            {"run", "", nullptr},
            {"serve", "", nullptr},
            {"session", "", &sessionVerbs()},
            {"token", "", &tokenVerbs()},
            {"webhook", "", &webhookVerbs()}};
}

/// Every second word, and every option that a command of the group takes.
std::string wordsOf(const Group& group)
{
    std::string words(group.more);
    std::set<std::string> options;
    for (const Option& option : clientOptions())
        options.insert("--" + option.name);
    if (group.verbs != nullptr)
        for (const Verb& verb : *group.verbs)
        {
            words += (words.empty() ? "" : " ") + std::string(verb.name);
            for (const Option& option : verb.options)
                options.insert("--" + option.name);
        }
    for (const std::string& option : options)
        words += " " + option;
    return words;
}

std::string bashScript()
{
    std::string names, cases;
    for (const Group& group : groups())
    {
        names += (names.empty() ? "" : " ") + std::string(group.name);
        cases += "        " + std::string(group.name) + ") words=\"" + wordsOf(group) + "\" ;;\n";
    }
    return "# bash completion of octostore: source <(octostore completion bash)\n"
           "_octostore() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
           "        words=\"" +
           names +
           " --help --version\"\n"
           "    else\n"
           "        case ${COMP_WORDS[1]} in\n" +
           cases +
           "        esac\n"
           "    fi\n"
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
