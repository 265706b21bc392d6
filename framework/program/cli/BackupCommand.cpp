// SPDX-License-Identifier: MIT
#include "cli/BackupCommand.h"

#include "ClientOptions.h"
#include "ExitCode.h"
#include "OneShot.h"

#include <octostore/base/Files.h>

#include <Poco/DigestEngine.h>
#include <Poco/SHA2Engine.h>

#include <cerrno>
#include <iostream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

/// The server copies its store before the first byte comes.
constexpr Milliseconds copyingMax = std::chrono::minutes(30);
constexpr Milliseconds backupSilenceMax = std::chrono::minutes(2);

const std::vector<Option> ownBackupOptions = {
    {"output", 'o', "FILE", "where the copy goes; must not exist", false},
    {"reason", 0, "TEXT", "why; the journal says so", false},
};

/// A file that gets its name only when it is whole.
class Target
{
public:
    explicit Target(std::string file)
        : _file(std::move(file)), _part(_file + ".part"), _hash(Poco::SHA2Engine::SHA_256)
    {
    }
    ~Target()
    {
        if (_descriptor < 0)
            return;
        if (!_whole)
            ::unlink(_part.c_str());
        ::close(_descriptor);
    }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

    Result<void> open()
    {
        if (::access(_file.c_str(), F_OK) == 0)
            return Error{ErrorCode::Conflict, _file + " is there already"};
        // What a killed backup left behind has no lock any more and is written over.
        while (true)
        {
            _descriptor = ::open(_part.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
            if (_descriptor < 0)
                return failed(_part);
            if (::flock(_descriptor, LOCK_EX | LOCK_NB) != 0)
            {
                ::close(std::exchange(_descriptor, -1)); // it is somebody else's
                return Error{ErrorCode::Conflict, "another backup is writing " + _part};
            }
            if (isStillNamed())
                break;
            ::close(_descriptor); // the other one ended between opening and locking
        }
        if (::fchmod(_descriptor, 0600) != 0 || ::ftruncate(_descriptor, 0) != 0)
            return failed(_part);
        return {};
    }
    bool write(std::string_view bytes)
    {
        _hash.update(bytes.data(), static_cast<unsigned>(bytes.size()));
        _size += bytes.size();
        while (!bytes.empty())
        {
            const ssize_t count = ::write(_descriptor, bytes.data(), bytes.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0)
            {
                _problem = failed(_part);
                return false;
            }
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
        return true;
    }
    Result<void> finish(const std::string& digest)
    {
        if (!_problem)
            return _problem;
        if (Poco::DigestEngine::digestToHex(_hash.digest()) != digest)
            return Error{ErrorCode::Corrupt, "the copy is cut off or was changed on its way"};
        if (::fsync(_descriptor) != 0)
            return failed(_part);
        // From here on it is whole, so it is kept whatever happens; locked until it has its name.
        _whole = true;
        if (auto named = renameToFree(_part, _file); !named)
            return Error{named.error().code, _file + ": " + named.error().message +
                                                 "; the whole copy is " + _part +
                                                 ": move it away, the next backup writes over it"};
        return syncFolderOf(_file);
    }
    std::uint64_t size() const { return _size; }

private:
    bool isStillNamed() const
    {
        struct stat opened
        {
        };
        struct stat named
        {
        };
        return ::fstat(_descriptor, &opened) == 0 && ::lstat(_part.c_str(), &named) == 0 &&
               opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
    }
    static Result<void> failed(const std::string& file)
    {
        return Error{ErrorCode::Unavailable,
                     file + ": " + std::error_code(errno, std::system_category()).message()};
    }

    const std::string _file;
    const std::string _part;
    int _descriptor = -1;
    bool _whole = false;
    Poco::SHA2Engine _hash;
    std::uint64_t _size = 0;
    Result<void> _problem;
};

client::HttpRequest requestFor(const std::string& token, const std::string& reason)
{
    client::HttpRequest request;
    request.method = "POST";
    request.path = "/admin/backup";
    request.bearer = token;
    if (!reason.empty())
    {
        JsonWriter json;
        request.body = json.beginObject().field("reason", reason).endObject().take();
    }
    return request;
}

int failure(const Error& error)
{
    complain(error.message);
    return ExitFailure;
}

int download(const ClientOptions& client, Milliseconds patience, const client::HttpRequest& request,
             const std::string& file)
{
    auto http = makeHttpClient(client);
    if (!http)
        return refuse(http.error());
    Target target(file);
    if (auto opened = target.open(); !opened)
        return failure(opened.error());
    client::Cancellation cancellation;
    const client::HttpOutcome outcome = (*http)->stream(
        request, patience, backupSilenceMax,
        [&](std::string_view bytes) { return target.write(bytes); }, cancellation);
    const auto* answer = std::get_if<client::HttpAnswer>(&outcome);
    if (answer == nullptr || answer->sha256.empty())
        return explain(client::readFailure(outcome));
    if (auto finished = target.finish(answer->sha256); !finished)
        return failure(finished.error());
    if (client.json)
    {
        JsonWriter json;
        json.beginObject()
            .field("file", file)
            .field("bytes", target.size())
            .field("sha256", answer->sha256);
        std::cout << json.endObject().take() << "\n";
    }
    else
        std::cout << file << ": " << target.size() << " bytes, SHA-256 " << answer->sha256 << "\n";
    return ExitOk;
}

} // namespace

std::vector<Option> backupOptions()
{
    std::vector<Option> all = ownBackupOptions + clientOptions();
    for (Option& option : all)
        if (option.name == "request-timeout")
            option.help = "how long the server may take to copy its store, 1s to 1h; default: 30m";
    return all;
}

int backupCommand(const Words& arguments)
{
    const std::vector<Option> known = backupOptions();
    auto options = Options::parse(known, arguments);
    if (!options)
        return usageError(options.error().message, "backup");
    if (options->has("help"))
    {
        std::cout
            << "A copy of the store of a running server, for octostore restore. Webhooks with a\n"
               "secret also need the server's file DATABASE.webhooks.key (unless it has\n"
               "webhooks.secret_key): copy it once, and keep it apart from the copies.\n\n"
               "Usage: octostore backup FILE [OPTIONS]\n\n"
            << Options::describe(known);
        return ExitOk;
    }
    Words files = options->arguments();
    if (options->has("output"))
        files.push_back(options->value("output"));
    if (files.size() != 1 || files.front().empty())
        return usageError("backup needs one FILE", "backup");
    auto client = readClientOptions(*options, client::HoldKind::Lock, Secrecy::Secret);
    if (!client)
        return refuse(client.error());
    auto token = openToken();
    if (!token)
        return refuse(token.error());
    const Milliseconds patience =
        options->has("request-timeout") ? client->requestTimeout : copyingMax;
    return download(*client, patience, requestFor(token->token(), options->value("reason")),
                    files.front());
}

} // namespace octostore::program
