// SPDX-License-Identifier: MIT
#include <octostore/base/Assert.h>
#include <octostore/config/KeyTable.h>

#include <limits>

namespace octostore::config
{

namespace
{

constexpr std::uint64_t unlimited = UINT64_MAX;
constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;
constexpr std::uint64_t second = 1000;
constexpr std::uint64_t hour = 3600 * second;

Key make(KeyType type, const char* name, const char* defaultValue, const char* help)
{
    Key key;
    key.type = type;
    key.name = name;
    key.defaultValue = defaultValue;
    key.help = help;
    return key;
}

Key within(std::uint64_t least, std::uint64_t most, Key key)
{
    key.least = least;
    key.most = most;
    return key;
}

Key oneOf(std::vector<std::string> choices, Key key)
{
    key.choices = std::move(choices);
    return key;
}

Key hot(Key key)
{
    key.reload = Reload::Hot;
    return key;
}

/// With the variable that earlier servers of this contract knew.
Key legacy(const char* variable, Key key)
{
    key.legacyVariable = variable;
    return key;
}

std::vector<Key> serverAndTransport()
{
    using enum KeyType;
    return {
        legacy("BIND_ADDR", make(Text, "server.bind", "0.0.0.0:3000",
                                 "Address and port the server listens on; [::]:3000 for IPv6. "
                                 "unix:/PATH: a socket that its owner and group may connect to.")),
        oneOf({"beast", "poco"},
              make(Text, "http.transport", "beast",
                   "Who speaks HTTP: beast serves every connection from a few event loops, poco "
                   "takes a thread for each.")),
        within(0, 1024,
               make(Integer, "http.threads", "0",
                    "Threads that answer requests. 0: one for each processor.")),
        within(0, 10'000'000,
               make(Integer, "http.connections_max", "0",
                    "Open connections; one more is answered 503. 0: the descriptor "
                    "limit minus 200.")),
        within(kib, 16 * mib,
               make(Size, "http.body_max", "64KiB",
                    "Longest request body; a longer one is answered 413.")),
        within(kib, mib,
               make(Size, "http.head_max", "16KiB",
                    "Longest request head; a longer one is answered 431.")),
        within(8, 1000,
               make(Integer, "http.headers_max", "100",
                    "Most header fields of a request; more are answered 431.")),
        within(kib, 64 * kib,
               make(Size, "http.target_max", "8KiB",
                    "Longest request target; a longer one is answered 414.")),
        within(second, hour,
               make(Duration, "http.request_timeout", "30s",
                    "Time in which a request must arrive whole, else 408.")),
        within(second, hour,
               make(Duration, "http.keepalive_timeout", "75s",
                    "How long a connection may wait for its next request.")),
        hot(make(List, "http.trusted_proxies", "127.0.0.0/8, ::1",
                 "Addresses and networks whose word about a client's address is taken.")),
        hot(make(List, "http.client_address_headers",
                 "forwarded, x-forwarded-for, cf-connecting-ip",
                 "Headers in which a trusted proxy tells the client's address. Name only what "
                 "the proxy sets itself: it passes on the others as clients wrote them.")),
    };
}

std::vector<Key> storageAndAccess()
{
    using enum KeyType;
    return {
        make(Text, "storage.backend", "sqlite", "The backend that keeps the state."),
        legacy("DATABASE_URL", make(Path, "storage.database", "octostore.db",
                                    "The database file of the sqlite backend.")),
        hot(legacy("STATIC_TOKENS", make(Secret, "auth.static.tokens", "",
                                         "Accounts as name:token, separated by commas."))),
        hot(legacy("STATIC_TOKENS_FILE",
                   make(Path, "auth.static.tokens_file", "",
                        "A file with accounts as name:token, one a line or separated by commas, "
                        "used beside auth.static.tokens."))),
        hot(make(Secret, "auth.static.*.token", "",
                 "The bearer token of one account; its name stands in the key.")),
        hot(make(Text, "auth.static.*.namespace", "",
                 "The only namespace of lock names this account may use. Unset: all.")),
        hot(oneOf({"user", "observer", "admin"},
                  make(Text, "auth.static.*.role", "user", "What this account may do."))),
        hot(legacy("ADMIN_KEY", make(Secret, "auth.admin_key", "",
                                     "The key that opens the administration. Unset: it is "
                                     "closed."))),
        hot(within(0, std::numeric_limits<std::uint32_t>::max(),
                   make(Integer, "auth.failures_per_minute", "60",
                        "Wrong credentials of one client in a minute; more are answered 429, "
                        "good ones never. 0: any number."))),
        legacy("LOCAL_REGISTRATION",
               make(Boolean, "auth.local_registration", "false",
                    "Anybody may register an account; only on a loopback address.")),
    };
}

std::vector<Key> limits()
{
    using enum KeyType;
    constexpr std::uint64_t most32 = std::numeric_limits<std::uint32_t>::max();
    return {
        hot(legacy("PUBLIC_ELECTIONS",
                   make(Boolean, "elections.public", "true",
                        "Whether elections are served; they need no account."))),
        hot(legacy("MAX_PUBLIC_ELECTIONS",
                   within(1, unlimited,
                          make(Integer, "elections.max", "10000",
                               "Rooms that may have a leader at the same time.")))),
        hot(legacy("PUBLIC_ELECTION_REQUESTS_PER_MINUTE",
                   within(1, most32,
                          make(Integer, "elections.requests_per_minute", "600",
                               "Election requests one client may make in a minute.")))),
        hot(legacy("PUBLIC_ELECTION_WATCH_STREAMS_GLOBAL",
                   within(1, unlimited,
                          make(Integer, "elections.watch.streams_global", "1024",
                               "Election watch streams of all clients together.")))),
        hot(legacy("PUBLIC_ELECTION_WATCH_STREAMS_PER_CLIENT",
                   within(1, unlimited,
                          make(Integer, "elections.watch.streams_per_client", "8",
                               "Election watch streams of one client.")))),
        hot(legacy("PUBLIC_ELECTION_WATCH_MAX_SECONDS",
                   within(1, most32,
                          make(Integer, "elections.watch.max_seconds", "900",
                               "Seconds after which an election watch stream ends.")))),
        hot(within(1, unlimited,
                   make(Integer, "locks.per_principal_max", "100",
                        "Locks one account may hold at the same time."))),
        hot(within(
            1, 1'000'000,
            make(Integer, "waiters.per_name_max", "10000", "Clients that may wait for one name."))),
        hot(within(1, 1'000'000,
                   make(Integer, "sessions.per_principal_max", "10000",
                        "Sessions one account may have at the same time."))),
        hot(within(1, 1'000'000,
                   make(Integer, "watch.streams_per_principal", "10000",
                        "Watch and event streams one account may have open."))),
        within(3'600'000, 366ull * 24 * 3'600'000,
               make(Duration, "journal.age_max", "168h", "Older events are forgotten.")),
        within(1'000, unlimited,
               make(Integer, "journal.events_max", "1000000",
                    "With more events than this the oldest are forgotten.")),
        within(1 << 20, unlimited,
               make(Size, "journal.size_max", "512MiB",
                    "With more bytes of events than this the oldest are forgotten.")),
    };
}

std::vector<Key> pluginsAndLog()
{
    using enum KeyType;
    return {
        make(List, "plugins.enabled",
             "accounts, admin-api, admin-ui, api-docs, auth-static, coordination-api, health, "
             "metrics, rate-limit, watches, webhooks",
             "The plugins that are loaded, by name, beside the transport and the backend."),
        make(Path, "plugins.directory", "",
             "Where plugins lie. Unset: lib/octostore beside the program's own directory."),
        make(List, "plugins.required", "accounts, auth-static, coordination-api, rate-limit",
             "Plugins without which the server does not start; any other may fail. At the default, "
             "those of them that are enabled."),
        hot(oneOf({"trace", "debug", "info", "warn", "warning", "error", "off"},
                  make(Text, "log.level", "info", "The least important lines that are written."))),
        oneOf({"auto", "text", "json"},
              make(Text, "log.format", "auto",
                   "Text for people or one JSON object a line. auto: text on a terminal.")),
    };
}

} // namespace

KeyTable serverKeys()
{
    KeyTable table;
    for (auto keys : {serverAndTransport(), storageAndAccess(), limits(), pluginsAndLog()})
    {
        const auto added = table.add(std::move(keys));
        OCTOSTORE_ASSERT(added.ok());
    }
    return table;
}

} // namespace octostore::config
