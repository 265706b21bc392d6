// SPDX-License-Identifier: MIT
/// @file
/// Backups and what becomes of them, with the program's own commands.
#pragma once

#include "ServerTest.h"
#include "cli/ClientProcess.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace octostore::test
{

class BackupFixture : public ServerTest
{
protected:
    static ServerProcess::Properties withAdmin()
    {
        return {{"auth.admin_key", "the-admin-key"}, {"locks.per_principal_max", "100000"}};
    }
    std::string file(const std::string& name) const { return _directory.path() / name; }

    int run(const ClientProcess::Words& words, const std::string& token = "admin:the-admin-key")
    {
        ClientProcess process(words, {{"OCTOSTORE_TOKEN", token}});
        const int code = process.wait();
        _errors = process.errors();
        _output = process.output();
        return code;
    }
    int backup(const std::string& name, const std::string& token = "admin:the-admin-key")
    {
        return run({"backup", file(name), "--server", "http://127.0.0.1:" + std::to_string(_port)},
                   token);
    }
    int restore(const std::string& name, const std::string& to, ClientProcess::Words more = {})
    {
        ClientProcess::Words words{"restore", "--from", file(name), "--database", file(to)};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    void startRestored(const std::string& database)
    {
        ServerProcess::Properties properties = withAdmin();
        properties["storage.database"] = file(database);
        start(properties);
    }
    ServerAnswer acquire(const std::string& name, std::string_view token = alice)
    {
        return expectAnswer(
            client(token).post("/locks/" + name + "/acquire", R"({"ttl_seconds":3600})"));
    }
    /// 200 and the current term, or -1.
    std::int64_t termOf(const std::string& name)
    {
        const ServerAnswer answer = expectAnswer(client(alice).get("/locks/" + name));
        return answer.text("status") == "held" ? answer.number("fencing_token") : -1;
    }

    std::string _errors;
    std::string _output;
};

} // namespace octostore::test
