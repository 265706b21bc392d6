#!/bin/sh
# SPDX-License-Identifier: MIT
# Leads a room while it may: leader.sh URL ROOM CANDIDATE RESOURCE   (curl; no jq)
# `octostore run --election ROOM --candidate ID -- COMMAND` does more: it stops COMMAND in time.
set -eu
URL=$1 ROOM=$2 CANDIDATE=$3 RESOURCE=$4
TTL=${TTL:-15}

end() {
    echo "$*" >&2
    exit 1
}

# Hundredths of a second since the machine started, sleep included.
now() { cut -d' ' -f1 /proc/uptime | tr -d .; }

# post ACTION BODY SECONDS: sets STATUS (000: no answer) and ANSWER. What is secret goes through a
# pipe: everybody may read the arguments of a command.
post() {
    ANSWER=$(printf '%s' "$2" | curl -s -m "$3" -w '\n%{http_code}' \
        -H 'content-type: application/json' --data-binary @- "$URL/elections/$ROOM/$1") ||
        ANSWER="$ANSWER
000"
    STATUS=$(printf '%s' "$ANSWER" | tail -n 1)
}
is_final() { [ "$STATUS" -ge 400 ] && [ "$STATUS" -lt 500 ] && [ "$STATUS" != 429 ]; }

# With the key a lost answer can be asked for again.
KEY=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
BODY="{\"candidate_id\":\"$CANDIDATE\",\"candidate_key\":\"$KEY\""
BODY="$BODY,\"ttl_seconds\":$TTL,\"wait_seconds\":20}"
TOKEN=
while [ -z "$TOKEN" ]; do
    post campaign "$BODY" 30
    TOKEN=$(printf '%s' "$ANSWER" | sed -n 's/.*"leader_token":"\([^"]*\)".*/\1/p')
    TERM_WON=$(printf '%s' "$ANSWER" | sed -n 's/.*"term":\([0-9]*\).*/\1/p')
    if is_final; then end "campaign: $STATUS"; fi
    [ "$STATUS" = 200 ] || sleep 1
done

resign() {
    post resign "{\"leader_token\":\"$TOKEN\"}" 5
    [ "$STATUS" = 200 ] && exit 0
    exit 1
}
trap resign TERM
echo "leader $TERM_WON"

# One short step. The resource remembers the highest term and refuses lower ones; a database does
# that in one statement: UPDATE ... SET term = :term WHERE term <= :term.
work() {
    SEEN=0
    [ ! -f "$RESOURCE" ] || read -r SEEN _ < "$RESOURCE"
    [ "$SEEN" -le "$TERM_WON" ] || end "refused: term $SEEN has begun"
    # Aside, then renamed: who is stopped in between leaves a whole file.
    echo "$TERM_WON $CANDIDATE" > "$RESOURCE.$CANDIDATE"
    mv "$RESOURCE.$CANDIDATE" "$RESOURCE"
}

# When the campaign waited, the time of sending it says nothing: renew first.
DEADLINE=$(($(now) + 80 * TTL)) RENEW_AT=0
while [ "$(now)" -lt "$DEADLINE" ]; do
    SENT=$(now)
    if [ "$SENT" -ge "$RENEW_AT" ]; then
        post renew "{\"leader_token\":\"$TOKEN\",\"ttl_seconds\":$TTL}" $(((DEADLINE - SENT) / 100 + 1))
        if [ "$STATUS" = 200 ]; then
            DEADLINE=$((SENT + 80 * TTL)) RENEW_AT=$((SENT + 40 * TTL))
        elif is_final; then
            end lost
        fi
    fi
    [ "$RENEW_AT" = 0 ] || [ "$(now)" -ge "$DEADLINE" ] || work
    sleep 0.2
done
end lost
