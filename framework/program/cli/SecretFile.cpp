// SPDX-License-Identifier: MIT
#include "SecretFile.h"

#include "Claim.h"

#include <octostore/base/ErrnoText.h>
#include <octostore/base/Json.h>

#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace octostore::program
{

namespace
{

constexpr std::size_t secretFileMax = 16'384;
/// A disk may be so full that a name fits and a secret does not.
constexpr std::size_t trialSize = 4096;

Error failed(const std::string& file, const std::string& why)
{
    return {ErrorCode::InvalidInput, file + ": " + why};
}

Error failed(const std::string& file)
{
    return failed(file, errnoText(errno));
}

/// More than a day is no TTL of ours.
std::chrono::seconds secondsMember(const JsonValue::Object& object, std::string_view key)
{
    constexpr std::uint64_t most = 86'400;
    const std::uint64_t count = numberMember(object, key).value_or(0);
    return std::chrono::seconds(count > most ? 0 : static_cast<std::int64_t>(count));
}

bool writeAll(int descriptor, const std::string& text)
{
    std::size_t written = 0;
    while (written < text.size())
    {
        const ssize_t n = ::write(descriptor, text.data() + written, text.size() - written);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        written += static_cast<std::size_t>(n);
    }
    return ::fsync(descriptor) == 0;
}

/// Also a link, a directory or a device; not a file with nothing in it.
bool isSomething(const std::string& file)
{
    struct stat found
    {
    };
    return ::lstat(file.c_str(), &found) == 0 && !(S_ISREG(found.st_mode) && found.st_size == 0);
}

/// A new file beside `file`, which stays as it is; its name.
Result<std::string> writeAside(const std::string& file, const std::string& text)
{
    // mkstemp makes it 0600.
    std::string aside = file + ".XXXXXX";
    const int descriptor = ::mkstemp(aside.data());
    if (descriptor < 0)
        return failed(file);
    const bool written = writeAll(descriptor, text);
    const int problem = errno;
    ::close(descriptor);
    if (written)
        return aside;
    ::unlink(aside.c_str());
    return failed(file, errnoText(problem));
}

} // namespace

Result<void> writeSecret(const std::string& file, const std::string& text)
{
    const auto aside = writeAside(file, text);
    if (!aside)
        return aside.error();
    // The name changes hands only once the secret is on disk.
    if (::rename(aside->c_str(), file.c_str()) == 0)
        return {};
    const std::string why = errnoText(errno);
    ::unlink(aside->c_str());
    return failed(file, why);
}

Result<void> tryWriting(const std::string& file)
{
    struct stat found
    {
    };
    if (::lstat(file.c_str(), &found) == 0 && S_ISDIR(found.st_mode))
        return failed(file, errnoText(EISDIR));
    const auto aside = writeAside(file, std::string(trialSize, ' '));
    if (!aside)
        return aside.error();
    ::unlink(aside->c_str());
    return {};
}

Result<void> tryReplacing(const std::string& file,
                          const std::function<bool(std::string_view)>& isOurs)
{
    if (!isSomething(file))
        return tryWriting(file);
    constexpr const char* hint = "; it is not replaced: name another file, or remove it first";
    const auto text = readSecret(file);
    if (!text)
        return Error{ErrorCode::InvalidInput, text.error().message + hint};
    if (!isOurs(std::string_view(*text).substr(0, text->find_last_not_of("\r\n") + 1)))
        return failed(file, std::string("it keeps something else") + hint);
    return tryWriting(file);
}

Result<std::string> readSecret(const std::string& file)
{
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return failed(file);
    struct stat found
    {
    };
    std::string text(secretFileMax, '\0');
    const bool known = ::fstat(descriptor, &found) == 0;
    const ssize_t size = known ? ::read(descriptor, text.data(), text.size()) : -1;
    ::close(descriptor);
    if (size < 0)
        return failed(file);
    if (!S_ISREG(found.st_mode) || found.st_uid != ::geteuid())
        return failed(file, "not a regular file of yours");
    if ((found.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        return failed(file, "others can read it; chmod 600 it");
    text.resize(static_cast<std::size_t>(size));
    return text;
}

Result<void> save(const std::string& file, const SavedLease& lease)
{
    JsonWriter json;
    json.beginObject()
        .field("kind", lease.kind)
        .field("name", lease.name)
        .field("term", lease.term)
        .field("secret", lease.secret)
        .field("candidate_id", lease.candidate)
        .field("candidate_key", lease.candidateKey)
        .field("ttl_seconds", std::int64_t{lease.ttl.count()})
        .endObject();
    return writeSecret(file, json.take() + "\n");
}

Result<SavedLease> load(const std::string& file, const std::string& kind, const std::string& name)
{
    const auto text = readSecret(file);
    if (!text)
        return text.error();
    const std::size_t end = text->find_last_not_of("\r\n \t");
    const auto object = readJson(text->substr(0, end == std::string::npos ? 0 : end + 1));
    if (!object)
        return failed(file, "no saved lease in it");
    SavedLease lease{
        textMember(*object, "kind"),          textMember(*object, "name"),
        textMember(*object, "secret"),        numberMember(*object, "term").value_or(0),
        textMember(*object, "candidate_id"),  textMember(*object, "candidate_key"),
        secondsMember(*object, "ttl_seconds")};
    if (lease.kind != kind || lease.name != name)
        return failed(file, "it keeps another lease: " + lease.kind + " " + lease.name);
    return lease;
}

Result<void> trySaving(const std::string& file, const std::string& kind, const std::string& name)
{
    if (isSomething(file))
        if (const auto saved = load(file, kind, name); !saved)
            return Error{ErrorCode::InvalidInput, saved.error().message + "; it is not replaced"};
    return tryWriting(file);
}

} // namespace octostore::program
