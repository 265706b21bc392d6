#!/bin/bash
# SPDX-License-Identifier: MIT
# Goal: receivers that are not ours accept what is delivered.
# Method: a real server, the example receiver, and the verifier of Standard Webhooks, whose package is
# installed as the lock file says.
# Usage: receiver.sh PROGRAM
set -euo pipefail
program=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
directory=$(mktemp -d)
server='' receiver=''
finish() {
    for process in $server $receiver; do kill "$process" 2> /dev/null || true; done
    wait
    rm -rf "$directory"
}
trap finish EXIT
fail() {
    echo "$*" >&2
    cat "$directory"/*.log >&2
    exit 1
}
# until_ok COMMAND...: for at most a minute
until_ok() {
    for _ in $(seq 600); do
        if "$@"; then return 0; fi
        sleep 0.1
    done
    fail "in vain: $*"
}

secret=whsec_$(head -c 32 /dev/urandom | base64 -w0)
WEBHOOK_SECRET=$secret python3 "$here/../../examples/webhook-receiver/receiver.py" 0 \
    > "$directory/receiver.log" 2>&1 &
receiver=$!
until_ok grep -q '^port ' "$directory/receiver.log"
port=$(sed -n 's/^port //p' "$directory/receiver.log")

cat > "$directory/octostore.properties" << END
server.bind = 127.0.0.1:0
storage.database = $directory/octostore.db
auth.static.tokens = alice:alice-secret-token
log.format = json
plugins.enabled = accounts, auth-static, coordination-api, health, webhooks
webhooks.egress.allow.cidrs = 127.0.0.0/8
webhooks.retry = 100ms
END
chmod 600 "$directory/octostore.properties"
"$program" --config "$directory/octostore.properties" > "$directory/server.log" 2>&1 &
server=$!
until_ok grep -q '"msg":"serving"' "$directory/server.log"
url=http://$(sed -n 's/.*"msg":"serving","address":"\([^"]*\)".*/\1/p' "$directory/server.log")

post() {
    curl -sf --max-time 60 -X POST "$url$1" -H 'Authorization: Bearer alice-secret-token' \
        -H 'Content-Type: application/json' -d "${2:-}"
}
id=$(post /webhooks "{\"url\":\"http://127.0.0.1:$port/\",\"secret\":\"$secret\",\"elections\":
    [\"room-0001\"],\"ordered\":true}" | jq -r .id)
for candidate in a b; do
    token=$(post /elections/room-0001/campaign "{\"candidate_id\":\"$candidate\",\"ttl_seconds\":60}" |
        jq -r .leader_token)
    post /elections/room-0001/resign "{\"leader_token\":\"$token\"}" > /dev/null
done
until_ok grep -q 'took election.leader_elected election:room-0001 b' "$directory/receiver.log"

# Again: the receiver knows it.
deliveries=$(curl -sf "$url/webhooks/$id/deliveries" -H 'Authorization: Bearer alice-secret-token')
first=$(jq -r '.items[-1].id' <<< "$deliveries")
post "/webhooks/$id/deliveries/$first/redeliver" > /dev/null
until_ok grep -q '^duplicate evt_' "$directory/receiver.log"
[ "$(grep -c '^took election.leader_elected' "$directory/receiver.log")" = 2 ] ||
    fail "every leader is taken once"

# That the first leader went away, late and under another id: there has been a newer one.
until_ok grep -q 'took election.leader_resigned' "$directory/receiver.log"
resigned=$(curl -sf "$url/webhooks/$id/deliveries?type=election.leader_resigned" \
    -H 'Authorization: Bearer alice-secret-token' | jq -r '.items[-1].id')
body=$(curl -sf "$url/webhooks/$id/deliveries/$resigned" \
    -H 'Authorization: Bearer alice-secret-token' | jq -r .body)
now=$(date +%s)
signature=$(python3 -c 'import base64, hashlib, hmac, sys
key = base64.b64decode(sys.argv[1].removeprefix("whsec_"))
print(base64.b64encode(hmac.new(key, sys.argv[2].encode(), hashlib.sha256).digest()).decode())' \
    "$secret" "late.$now.$body")
curl -sf -H 'webhook-id: late' -H "webhook-timestamp: $now" -H "webhook-signature: v1,$signature" \
    -d "$body" "http://127.0.0.1:$port/"
until_ok grep -q '^stale election.leader_resigned election:room-0001 term' "$directory/receiver.log"

# Somebody without the secret is refused.
status=$(curl -s -o /dev/null -w '%{http_code}' -d '{}' "http://127.0.0.1:$port/")
[ "$status" = 401 ] || fail "an unsigned delivery got $status"

cp "$here"/npm/package.json "$here"/npm/package-lock.json "$here"/npm/verify.mjs "$directory"
(cd "$directory" && npm ci --ignore-scripts --no-audit --no-fund --silent) || fail "npm ci failed"
post "/webhooks/$id/ping" |
    jq --arg secret "$secret" '{secret: $secret, headers: .request_headers, body}' |
    node "$directory/verify.mjs"
# A delivery that arrived above, as the log has it.
curl -sf "$url/webhooks/$id/deliveries/$first" -H 'Authorization: Bearer alice-secret-token' |
    jq --arg secret "$secret" \
        '{secret: $secret, headers: .attempt_log[0].request_headers, body}' |
    node "$directory/verify.mjs"
echo "webhook receiver: ok"
