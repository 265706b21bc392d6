# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# What scripts/bench.sh compares with: a server of each kind, started in $WORK, loaded, stopped.

ETCD_URL=http://127.0.0.1:32379

start_etcd() {
    local directory=$WORK/etcd
    mkdir -p "$directory"
    # Ports of its own, so that one that runs already is left alone.
    etcd --data-dir "$directory" --listen-client-urls "$ETCD_URL" \
        --advertise-client-urls "$ETCD_URL" \
        --listen-peer-urls http://127.0.0.1:32380 \
        --initial-advertise-peer-urls http://127.0.0.1:32380 \
        --initial-cluster default=http://127.0.0.1:32380 > "$directory.log" 2>&1 &
    ETCD_PID=$!
    until curl -sf "$ETCD_URL/health" | grep -q true; do
        kill -0 $ETCD_PID || { cat "$directory.log" >&2; return 1; }
        sleep 0.1
    done
}

stop_etcd() {
    kill $ETCD_PID
    wait $ETCD_PID 2> /dev/null || true
    rm -rf "$WORK/etcd"
}

# Through the JSON gateway, 64 connections: one JSON object.
etcd_puts() {
    start_etcd
    URL=$ETCD_URL scenario etcd --connections 64
    stop_etcd
}

# Puts a second of its own client, in its own protocol: 1,000 clients for a minute, 15,000 puts a
# second at most. It calls a machine that cannot take so many a failure.
etcd_own_puts() {
    start_etcd
    { etcdctl --endpoints "$ETCD_URL" check perf --load=xl 2>&1 || true; } |
        sed -n 's/.*Throughput.* \([0-9]*\) writes\/s.*/\1/p'
    stop_etcd
}

# As the user postgres: the server refuses root.
postgres() {
    if [ "$(id -u)" = 0 ]; then
        runuser -u postgres -- "$@"
    else
        "$@"
    fi
}

postgres_upserts() {
    local bin directory=$WORK/postgresql
    bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
    mkdir -p "$directory"
    [ "$(id -u)" = 0 ] && chown postgres "$directory" && chmod 711 "$WORK"
    cat > "$directory/upsert.sql" << 'END'
\set name random(1, 1000000000)
INSERT INTO lease VALUES (:name, 1, repeat('v', 200))
    ON CONFLICT (name) DO UPDATE SET term = lease.term + 1, value = excluded.value;
END
    {
        postgres "$bin/initdb" -A trust -D "$directory/data"
        postgres "$bin/pg_ctl" -w -D "$directory/data" -l "$directory/data/log" \
            -o "-c listen_addresses='' -k $directory -p 32432 -c synchronous_commit=on" start
        postgres psql -h "$directory" -p 32432 -d postgres \
            -c "CREATE TABLE lease (name bigint PRIMARY KEY, term bigint, value text)"
    } > "$directory.log" 2>&1 || { cat "$directory.log" >&2; return 1; }
    postgres pgbench -h "$directory" -p 32432 -n -c 64 -j 1 -T "$SECONDS_EACH" \
        -M prepared -f "$directory/upsert.sql" postgres 2> /dev/null |
        sed -n 's/^tps = \([0-9]*\).*/\1/p'
    postgres "$bin/pg_ctl" -D "$directory/data" -m fast stop > /dev/null
    rm -rf "$directory"
}
