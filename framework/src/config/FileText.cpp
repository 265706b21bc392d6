// SPDX-License-Identifier: MIT
#include "config/FileText.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include <sys/stat.h>

namespace octostore::config
{

namespace
{

constexpr std::size_t fileBytesMax = 1U << 20U;

Error unreadable(int reason)
{
    return {ErrorCode::Configuration, "cannot be read: " + std::generic_category().message(reason)};
}

struct Closer
{
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

} // namespace

Result<std::string> readFileText(const std::string& path)
{
    const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "re"));
    if (file == nullptr)
        return unreadable(errno);
    std::string text(fileBytesMax + 1, '\0');
    errno = 0;
    text.resize(std::fread(text.data(), 1, text.size(), file.get()));
    if (std::ferror(file.get()) != 0)
        return unreadable(errno); // a directory ends here
    if (text.size() > fileBytesMax)
        return Error{ErrorCode::Configuration, "is longer than 1 MiB"};
    return text;
}

bool isReadableByOthers(const std::string& path) noexcept
{
    struct stat status = {};
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           (status.st_mode & (S_IRGRP | S_IROTH)) != 0;
}

} // namespace octostore::config
