// SPDX-License-Identifier: MIT
#include "Settings.h"

#include "SecretBox.h"

#include <octostore/base/Base64.h>
#include <octostore/base/ErrnoText.h>
#include <octostore/base/Mistakes.h>
#include <octostore/base/Text.h>
#include <octostore/http/BindAddress.h>

#include <algorithm>
#include <cerrno>
#include <charconv>

#include <ifaddrs.h>
#include <unistd.h>

namespace octostore::webhooks
{

namespace
{

config::Key key(std::string name, config::KeyType type, std::string value, std::string help)
{
    config::Key made;
    made.name = std::move(name);
    made.type = type;
    made.defaultValue = std::move(value);
    made.help = std::move(help);
    return made;
}

config::Key legacy(const char* variable, config::Key made)
{
    made.legacyVariable = variable;
    return made;
}

config::Key within(std::uint64_t least, std::uint64_t most, config::Key made)
{
    made.least = least;
    made.most = most;
    return made;
}

/// `500ms`, `5s`, `5m`, `2h`
std::optional<Milliseconds> parseDelay(std::string_view text)
{
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [unit, fault] = std::from_chars(text.data(), end, number);
    const std::string_view name(unit, static_cast<std::size_t>(end - unit));
    for (const auto& [known, factor] : {std::pair{"ms", 1}, std::pair{"s", 1000},
                                        std::pair{"m", 60'000}, std::pair{"h", 3'600'000}})
        if (fault == std::errc() && name == known)
            return Milliseconds(std::int64_t{number} * factor);
    return std::nullopt;
}

std::vector<http::IpAddress> interfaceAddresses()
{
    std::vector<http::IpAddress> all;
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0)
        return all;
    for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next)
        if (one->ifa_addr != nullptr)
            if (const auto address = http::IpAddress::fromSocketAddress(*one->ifa_addr))
                all.push_back(*address);
    ::freeifaddrs(list);
    return all;
}

} // namespace

std::vector<config::Key> settingKeys()
{
    using enum config::KeyType;
    constexpr std::uint64_t second = 1000, hour = 3600 * second, day = 24 * hour;
    return {
        legacy("OCTOSTORE_WEBHOOK_ALLOW_PRIVATE_NETWORKS",
               key("webhooks.allow_private_networks", Text, "",
                   "`true` or `1`: webhooks may be delivered to private addresses, with https. "
                   "Anything else is no, and no mistake.")),
        key("webhooks.egress.allow.cidrs", List, "",
            "Networks and addresses that webhooks may be delivered to although they are not "
            "public, with http too."),
        within(second, 30 * day,
               key("webhooks.max_age", Duration, "72h",
                   "An event older than this is not delivered any more.")),
        key("webhooks.retry", List, "5s, 5m, 30m, 2h, 5h, 10h, 14h, 20h, 24h",
            "How long to wait after each failed attempt; +-20 %. After the last one a delivery is "
            "given up."),
        within(100, 300 * second,
               key("webhooks.timeout", Duration, "15s", "The longest a receiver may take.")),
        within(1, 256,
               key("webhooks.concurrency", Integer, "32", "Deliveries under way at a time.")),
        within(1, 100'000,
               key("webhooks.per_account", Integer, "10", "Webhooks an account may have.")),
        key("webhooks.secret_key", Secret, "",
            "32 bytes in base64 that signing secrets are kept with. Unset: a key file beside the "
            "store is made and used."),
        within(hour, 3650 * day,
               key("webhooks.log.age", Duration, "720h", "How long attempts are remembered.")),
        within(hour, 3650 * day,
               key("webhooks.log.body_age", Duration, "168h",
                   "How long what was sent is remembered.")),
        within(1024 * 1024, UINT64_MAX / 2,
               key("webhooks.log.size_max", Size, "256MiB",
                   "Above this the oldest deliveries are forgotten.")),
        legacy("OCTOSTORE_CA_BUNDLE",
               key("tls.ca_bundle", Path, "",
                   "PEM file with certificates that receivers are trusted by, beside the "
                   "system's.")),
    };
}

Result<EgressPolicy> egressPolicy(const config::View& configuration)
{
    EgressSettings settings;
    // What the variable has always meant: a value that is something else is no mistake.
    const std::string privates = configuration.text("webhooks.allow_private_networks");
    settings.allowPrivate = privates == "1" || privates == "true";
    settings.allow = configuration.list("webhooks.egress.allow.cidrs");
    settings.ownAddresses = interfaceAddresses();
    const auto bind = http::BindAddress::parse(configuration.text("server.bind"));
    if (bind)
        settings.ownPort = bind->port;
    return EgressPolicy::make(std::move(settings));
}

Result<RetryRules> retryRules(const config::View& configuration)
{
    RetryRules rules;
    Mistakes mistakes;
    for (const std::string& text : configuration.list("webhooks.retry"))
    {
        const auto delay = parseDelay(text);
        if (delay)
            rules.delays.push_back(*delay);
        else
            mistakes.add(
                Error{ErrorCode::Configuration,
                      "webhooks.retry: `" + text + "` is no duration; write for example 5s"});
    }
    if (const auto found = mistakes.result(); !found)
        return found.error();
    return rules;
}

Result<void> checkCaBundle(const config::View& configuration)
{
    const std::string path = configuration.text("tls.ca_bundle");
    if (!path.empty() && ::access(path.c_str(), R_OK) != 0)
        return Error{ErrorCode::Configuration, "tls.ca_bundle: " + path + ": " + errnoText(errno)};
    return {};
}

HttpSenderOptions senderOptions(const config::View& configuration)
{
    HttpSenderOptions options;
    options.timeout = configuration.duration("webhooks.timeout");
    options.connectTimeout = std::min(options.connectTimeout, options.timeout);
    options.caBundle = configuration.text("tls.ca_bundle");
    return options;
}

DeliveryLogLimits logLimits(const config::View& configuration)
{
    DeliveryLogLimits limits;
    limits.age = configuration.duration("webhooks.log.age");
    limits.bodyAge = configuration.duration("webhooks.log.body_age");
    limits.bytes = configuration.bytes("webhooks.log.size_max");
    return limits;
}

std::string fileBesideStore(const config::View& configuration, const std::string& end)
{
    return configuration.text("storage.database") + end;
}

std::string keyFile(const config::View& configuration)
{
    return fileBesideStore(configuration, ".webhooks.key");
}

Result<std::optional<SecretBox>> configuredSecretBox(const config::View& configuration)
{
    const std::string text = configuration.text("webhooks.secret_key");
    if (text.empty())
        return std::optional<SecretBox>();
    const auto bytes = fromBase64(trim(text));
    Digest wanted;
    if (!bytes || bytes->size() != wanted.size())
        return Error{ErrorCode::Configuration,
                     "webhooks.secret_key: it must be 32 bytes in base64"};
    std::copy(bytes->begin(), bytes->end(), wanted.begin());
    return std::optional<SecretBox>(wanted);
}

Result<SecretBox> secretBox(const config::View& configuration)
{
    const auto configured = configuredSecretBox(configuration);
    if (!configured)
        return configured.error();
    if (*configured)
        return **configured;
    return SecretBox::read(keyFile(configuration));
}

} // namespace octostore::webhooks
