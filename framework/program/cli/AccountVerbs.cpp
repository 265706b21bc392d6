// SPDX-License-Identifier: MIT
#include "Claim.h"
#include "ExitCode.h"
#include "LeaseVerbs.h"
#include "OneShot.h"
#include "Printing.h"
#include "Verb.h"

#include <iostream>

namespace octostore::program
{

namespace
{

int rotate(Remote& remote, const Options& options)
{
    std::string file = options.value("save");
    if (file.empty())
        file = variable("OCTOSTORE_TOKEN_FILE");
    if (file.empty() || file == "-")
        return usageError("token rotate needs --save FILE, or OCTOSTORE_TOKEN_FILE",
                          "token rotate");
    // The old token is dead once the server has answered: where the new one goes must be writable.
    const std::string old = remote.token();
    const auto writable = tryReplacing(file, [&](std::string_view line) { return line == old; });
    if (!writable)
        return refuse(writable.error());
    auto answer = remote.object("POST", "/auth/token/rotate", 200);
    if (const auto saved = writeSecret(file, textMember(answer, "token") + "\n"); !saved)
    {
        complain("the token is rotated and could not be kept: " + saved.error().message);
        return ExitFailure;
    }
    answer.erase("token");
    std::cout << (remote.json() ? toJson(JsonValue(answer)) : "the new token is in " + file)
              << "\n";
    return ExitOk;
}

int status(Remote& remote, const Options&)
{
    const auto answer = remote.object("GET", "/admin/status", 200);
    if (remote.json())
    {
        std::cout << toJson(JsonValue(answer)) << "\n";
        return ExitOk;
    }
    JsonValue::Object sums = answer;
    sums.erase("locks");
    sums.erase("users");
    std::cout << describe(sums);
    const auto locks = answer.find("locks");
    if (locks != answer.end() && locks->second.asArray() != nullptr &&
        !locks->second.asArray()->empty())
        std::cout << "\n"
                  << table({{"NAME", "name"},
                            {"HOLDER", "holder_username"},
                            {"TERM", "fencing_token"},
                            {"UNTIL", "expires_at"}},
                           *locks->second.asArray());
    return ExitOk;
}

} // namespace

const std::vector<Verb>& tokenVerbs()
{
    static const std::vector<Verb> verbs = {
        {"rotate",
         "",
         "replace the token; the old one is dead at once",
         Credential::Token,
         {{"save", 0, "FILE", "where to keep the new one; default: OCTOSTORE_TOKEN_FILE"}},
         &rotate},
    };
    return verbs;
}

const std::vector<Verb>& adminVerbs()
{
    static const std::vector<Verb> verbs = {
        {"status", "", "how the server does, and every lease", Credential::Token, {}, &status},
    };
    return verbs;
}

} // namespace octostore::program
