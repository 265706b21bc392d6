// SPDX-License-Identifier: MIT
#include "TokenSources.h"

#include "StaticToken.h"

#include <octostore/base/ErrnoText.h>
#include <octostore/base/Mistakes.h>
#include <octostore/base/Text.h>
#include <octostore/http/Namespace.h>

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace octostore::auth
{

namespace
{

constexpr std::size_t fileBytesMax = 1024 * 1024;

Error systemError(const std::string& path)
{
    return wrong(path, errnoText(errno));
}

class Descriptor
{
public:
    explicit Descriptor(int number) : _number(number) {}
    ~Descriptor()
    {
        if (_number >= 0)
            close(_number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const noexcept { return _number; }

private:
    int _number;
};

Result<std::string> readAll(int descriptor, const std::string& path)
{
    std::string text;
    char block[4096];
    while (true)
    {
        const ssize_t count = read(descriptor, block, sizeof block);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return systemError(path);
        if (count == 0)
            return text;
        text.append(block, static_cast<std::size_t>(count));
        if (text.size() > fileBytesMax)
            return wrong(path, "longer than 1 MiB");
    }
}

Result<std::string> readTokenFile(const std::string& path, const Logger& logger)
{
    // O_NONBLOCK: a FIFO put here by mistake must not hang the start.
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status = {};
    if (file.number() < 0 || fstat(file.number(), &status) != 0)
        return systemError(path);
    if (!S_ISREG(status.st_mode))
        return wrong(path, "not a regular file");
    if ((status.st_mode & (S_IRGRP | S_IROTH)) != 0)
        logger.warning("group or others may read a file of tokens; chmod go-r it",
                       {{"file", path}});
    return readAll(file.number(), path);
}

Result<void> append(std::vector<StaticToken>& tokens, Result<std::vector<StaticToken>> more)
{
    if (!more)
        return more.error();
    for (StaticToken& token : *more)
        tokens.push_back(std::move(token));
    return {};
}

Result<void> appendListed(std::vector<StaticToken>& tokens, const config::View& configuration)
{
    if (!configuration.isSet("auth.static.tokens"))
        return {};
    return append(tokens, parseTokens(configuration.text("auth.static.tokens"),
                                      "auth.static.tokens (STATIC_TOKENS)"));
}

Result<void> appendFromFile(std::vector<StaticToken>& tokens, const config::View& configuration,
                            const Logger& logger)
{
    if (!configuration.isSet("auth.static.tokens_file"))
        return {};
    const std::string path = configuration.text("auth.static.tokens_file");
    if (trim(path).empty())
        return wrong("auth.static.tokens_file (STATIC_TOKENS_FILE)", "it is set but names no file");
    auto text = readTokenFile(path, logger);
    if (!text)
        return text.error();
    return append(tokens, parseTokens(*text, path));
}

http::Role roleOf(std::string_view text)
{
    if (text == "admin")
        return http::Role::Admin;
    return text == "observer" ? http::Role::Observer : http::Role::User;
}

/// Set but empty is a mistake: without a namespace an account may use every name.
Result<std::string> namespaceOf(const config::View& configuration, const std::string& key)
{
    if (!configuration.isSet(key))
        return std::string();
    auto space = http::readNamespace(configuration.text(key));
    if (!space)
        return wrong(key, space.error().message);
    if (space->empty())
        return wrong(key, "it names no namespace");
    return space;
}

/// auth.static.<name>.token, .namespace and .role
Result<StaticToken> namedToken(const config::View& configuration, const std::string& name)
{
    const std::string prefix = "auth.static." + name;
    if (!configuration.isSet(prefix + ".token"))
        return wrong(prefix + ".token", "it is not set, but other keys of this name are");
    auto token = makeToken(name, configuration.text(prefix + ".token"), prefix + ".token");
    if (!token)
        return token;
    token->role = roleOf(configuration.text(prefix + ".role"));
    auto space = namespaceOf(configuration, prefix + ".namespace");
    if (!space)
        return space.error();
    token->space = *std::move(space);
    return token;
}

} // namespace

Result<TokenTable> readTokens(const config::View& configuration, const Logger& logger)
{
    std::vector<StaticToken> tokens;
    Mistakes mistakes;
    mistakes.add(appendListed(tokens, configuration));
    mistakes.add(appendFromFile(tokens, configuration, logger));
    for (const std::string& name : configuration.names("auth.static"))
    {
        auto token = namedToken(configuration, name);
        if (token)
            tokens.push_back(*std::move(token));
        else
            mistakes.add(token.error());
    }
    if (const auto found = mistakes.result(); !found)
        return found.error();
    return TokenTable::make(tokens);
}

} // namespace octostore::auth
