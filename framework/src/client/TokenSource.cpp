// SPDX-License-Identifier: MIT
#include <octostore/base/ErrnoText.h>
#include <octostore/base/Text.h>
#include <octostore/client/TokenSource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace octostore::client
{

namespace
{

constexpr std::size_t tokenMax = 4096;

Error invalid(const std::string& what)
{
    return {ErrorCode::InvalidInput, what};
}

/// Closes itself.
class Descriptor
{
public:
    explicit Descriptor(int number) noexcept : _number(number) {}
    ~Descriptor()
    {
        if (_number >= 0)
            ::close(_number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const noexcept { return _number; }

private:
    const int _number;
};

Result<std::string> checkToken(std::string_view text, const std::string& where)
{
    const std::string_view token = trim(text);
    if (token.empty())
        return invalid("there is no token in " + where);
    if (token.size() > tokenMax)
        return invalid("the token in " + where + " is longer than 4096 bytes");
    if (!std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c < 0x7f; }))
        return invalid("the token in " + where + " has blanks or bytes that are no ASCII in it");
    return std::string(token);
}

/// Byte by byte: what comes behind the first line is for others.
std::string readLine(int descriptor)
{
    std::string line;
    char byte = 0;
    while (line.size() <= tokenMax)
    {
        const ssize_t got = ::read(descriptor, &byte, 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || byte == '\n')
            break;
        line += byte;
    }
    return line;
}

std::string readAll(int descriptor)
{
    std::string text;
    std::array<char, 1024> buffer{};
    while (text.size() <= tokenMax)
    {
        const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        text.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return text;
}

/// Who may read the file may act as its owner.
Result<void> checkPrivate(const struct stat& file, const std::string& where)
{
    constexpr mode_t others = S_IRWXG | S_IRWXO;
    if (!S_ISREG(file.st_mode))
        return invalid(where + " is not a regular file");
    if (file.st_uid != ::geteuid())
        return invalid(where + " belongs to another user; it must be yours");
    if ((file.st_mode & others) != 0)
        return invalid(where + " may be used by group or others; chmod 600 it");
    return {};
}

} // namespace

Result<TokenSource> TokenSource::open(const std::string& file, const std::string& value)
{
    TokenSource source;
    if (file == "-")
    {
        auto token = checkToken(readLine(STDIN_FILENO), "standard input");
        if (!token)
            return token.error();
        source._token = *std::move(token);
        return source;
    }
    if (!file.empty())
    {
        auto reading = read(file);
        if (!reading)
            return reading.error();
        source._file = file;
        source._token = reading->token;
        source._stamp = reading->stamp;
        return source;
    }
    if (value.empty())
        return invalid("there is no token; set OCTOSTORE_TOKEN_FILE to a file (mode 600) that has "
                       "it, or to - for standard input");
    auto token = checkToken(value, "OCTOSTORE_TOKEN");
    if (!token)
        return token.error();
    source._token = *std::move(token);
    source._fromEnvironment = true;
    return source;
}

const std::string& TokenSource::token()
{
    struct stat now = {};
    if (_file.empty() || ::lstat(_file.c_str(), &now) != 0)
        return _token;
    const Stamp stamp{now.st_dev, now.st_ino, now.st_size, now.st_ctim.tv_sec, now.st_ctim.tv_nsec};
    if (stamp == _stamp)
        return _token;
    if (auto reading = read(_file))
    {
        _token = reading->token;
        _stamp = reading->stamp;
    }
    return _token;
}

Result<TokenSource::Reading> TokenSource::read(const std::string& file)
{
    const std::string where = "the token file " + file;
    // Without O_NONBLOCK a FIFO would hold us up for ever.
    const Descriptor descriptor(
        ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
    if (descriptor.number() < 0)
    {
        const std::string why =
            errno == ELOOP ? std::string("it is a symbolic link") : errnoText(errno);
        return invalid(where + " cannot be opened: " + why);
    }
    struct stat status = {};
    if (::fstat(descriptor.number(), &status) != 0)
        return invalid(where + " cannot be examined: " + errnoText(errno));
    if (const auto checked = checkPrivate(status, where); !checked)
        return checked.error();
    auto token = checkToken(readAll(descriptor.number()), where);
    if (!token)
        return token.error();
    return Reading{*std::move(token),
                   {status.st_dev, status.st_ino, status.st_size, status.st_ctim.tv_sec,
                    status.st_ctim.tv_nsec}};
}

} // namespace octostore::client
