// SPDX-License-Identifier: MIT
#include "SecretBox.h"

#include <octostore/base/Assert.h>
#include <octostore/base/Base64.h>
#include <octostore/base/Files.h>
#include <octostore/base/Text.h>

#include <openssl/evp.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace octostore::webhooks
{

namespace
{

constexpr std::size_t nonceBytes = 12, tagBytes = 16;
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

const unsigned char* bytesOf(std::string_view text)
{
    return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytesOf(std::string& text)
{
    return reinterpret_cast<unsigned char*>(text.data());
}

Error unusable(const std::string& file, const std::string& why)
{
    return {ErrorCode::Configuration, "the key of the webhooks' secrets, " + file + ": " + why};
}

Result<std::string> readKey(const std::string& file, int descriptor)
{
    struct stat status
    {
    };
    if (::fstat(descriptor, &status) != 0 || (status.st_mode & 077) != 0)
        return unusable(file, "others may read it; chmod 600");
    std::string text(128, '\0');
    const ssize_t length = ::read(descriptor, text.data(), text.size());
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    const auto key = fromBase64(trim(text));
    if (!key || key->size() != Digest().size())
        return unusable(file, "it must have 32 bytes in base64");
    return *key;
}

/// Whole or not at all: a crash leaves no half of a key behind, a power cut no webhook without its
/// key.
Result<void> writeKey(const std::string& file, const std::string& text)
{
    const std::string fresh = file + ".new";
    const int descriptor = ::open(fresh.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor < 0)
        return unusable(file, "it cannot be made");
    const bool written =
        ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
        ::fsync(descriptor) == 0;
    ::close(descriptor);
    if (!written || ::rename(fresh.c_str(), file.c_str()) != 0)
        return unusable(file, "it cannot be written");
    if (const auto synced = syncFolderOf(file); !synced)
        return unusable(file, synced.error().message);
    return {};
}

} // namespace

Result<SecretBox> SecretBox::read(const std::string& file)
{
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 && errno == ENOENT)
        return SecretBox();
    if (descriptor < 0)
        return unusable(file, "it cannot be read");
    auto text = readKey(file, descriptor);
    ::close(descriptor);
    if (!text)
        return text.error();
    Digest key;
    std::copy(text->begin(), text->end(), key.begin());
    return SecretBox(key);
}

Result<SecretBox> SecretBox::open(const std::string& file, Random& random)
{
    auto box = read(file);
    if (!box || box->usable())
        return box;
    if (auto written = writeKey(file, toBase64(random.bytes<32>()) + "\n"); !written)
        return written.error();
    return read(file);
}

std::string SecretBox::seal(std::string_view secret, std::string_view owner, Random& random) const
{
    OCTOSTORE_ASSERT(_usable);
    const auto nonce = random.bytes<nonceBytes>();
    std::string box(nonce.begin(), nonce.end());
    box.resize(nonceBytes + secret.size() + tagBytes);
    const Cipher cipher(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free);
    int length = 0;
    const bool sealed = EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, _key.data(),
                                           nonce.data()) == 1 &&
                        EVP_EncryptUpdate(cipher.get(), nullptr, &length, bytesOf(owner),
                                          static_cast<int>(owner.size())) == 1 &&
                        EVP_EncryptUpdate(cipher.get(), bytesOf(box) + nonceBytes, &length,
                                          bytesOf(secret), static_cast<int>(secret.size())) == 1 &&
                        EVP_EncryptFinal_ex(cipher.get(), bytesOf(box) + nonceBytes + secret.size(),
                                            &length) == 1 &&
                        EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, tagBytes,
                                            bytesOf(box) + nonceBytes + secret.size()) == 1;
    OCTOSTORE_ASSERT(sealed);
    return toBase64(box);
}

std::optional<std::string> SecretBox::unseal(std::string_view box, std::string_view owner) const
{
    auto bytes = fromBase64(box);
    if (!_usable || !bytes || bytes->size() < nonceBytes + tagBytes)
        return std::nullopt;
    const std::size_t size = bytes->size() - nonceBytes - tagBytes;
    std::string secret(size + 1, '\0');
    const Cipher cipher(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free);
    int length = 0;
    const bool opened =
        EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, _key.data(),
                           bytesOf(*bytes)) == 1 &&
        EVP_DecryptUpdate(cipher.get(), nullptr, &length, bytesOf(owner),
                          static_cast<int>(owner.size())) == 1 &&
        EVP_DecryptUpdate(cipher.get(), bytesOf(secret), &length, bytesOf(*bytes) + nonceBytes,
                          static_cast<int>(size)) == 1 &&
        EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, tagBytes,
                            bytesOf(*bytes) + nonceBytes + size) == 1 &&
        EVP_DecryptFinal_ex(cipher.get(), bytesOf(secret) + size, &length) == 1;
    if (!opened)
        return std::nullopt;
    secret.resize(size);
    return secret;
}

} // namespace octostore::webhooks
