// SPDX-License-Identifier: MIT
// What the API answers, as far as the console looks at it.

export type Role = "observer" | "admin";

export interface Me { auth: "key" | "token"; name: string; role: Role | string }

export interface Page<T> { items: T[]; total: number; next: string | null }

export interface Lock {
    name: string;
    holder: string;
    holder_id: string | null;
    session_id: string | null;
    ephemeral: boolean;
    fencing_token: number;
    acquired_at: string | null;
    expires_at: string;
    ttl_remaining_ms: number;
    waiters: number;
    metadata: string | null;
    acl: boolean;
}

export interface Election {
    election_id: string;
    candidate_id: string | null;
    metadata: string | null;
    term: number | null;
    since: string | null;
    expires_at: string | null;
    ttl_remaining_ms: number | null;
    candidates: number;
}

export interface Session {
    id: string;
    account: string;
    ttl_ms: number;
    expires_at: string;
    ttl_remaining_ms: number;
    lock_count: number;
}

export interface Account {
    id: string;
    name: string;
    identity_class: string;
    role: string;
    namespace: string | null;
    created_at: string | null;
}

export interface Server {
    id: string;
    version: string;
    backend: string;
    started_at: string;
    uptime_seconds: number;
    revision: number;
    database_bytes: number;
    locks: number;
    elections: number;
    sessions: number;
    waiters: number;
    grants_at: string | null;
}

export interface Waiter {
    position: number;
    label: string;
    kind: string;
    present: boolean;
    since: string;
    until: string | null;
    session_id: string | null;
}

export interface ConfigEntry {
    key: string;
    value: string;
    layer: string;
    origin: string;
    reload: "hot" | "restart";
}

export interface PluginEntry {
    id: string;
    version: string;
    state: string;
    error: string | null;
    provides: string[];
}

export interface Holding { holder: string; term?: number; expires_at?: string }

export interface JournalEvent {
    sequence: number;
    type: string;
    facts: string[];
    time: string;
    resource: { kind: string; name: string };
    cause: string | null;
    actor: { kind: string; name: string };
    request_id: string | null;
    previous: Holding | null;
    current: Holding | null;
    vacant_ms: number | null;
    reason?: string;
}

export interface Series {
    range: string;
    step_seconds: number;
    timestamps: number[];
    series: Record<string, (number | null)[]>;
}

export interface WebhookStats {
    attempts_24h: number;
    succeeded_24h: number;
    success_24h: number | null;
    p95_ms: number | null;
    pending: number;
    more_in_journal: boolean;
    in_flight: number;
    breaker_open: boolean;
    next_retry_at: string | null;
    failing_since: string | null;
}

export interface Webhook {
    id: string;
    user_name: string;
    url: string;
    secret: string | null;
    events: string[];
    lock_pattern: string | null;
    elections: string[];
    description: string;
    ordered: boolean;
    active: boolean;
    format: string;
    max_age_seconds: number | null;
    disabled_reason: string | null;
    created_at: string;
    stats?: WebhookStats;
}

export interface Delivery {
    id: string;
    sequence: number;
    type: string;
    resource: string;
    state: string;
    attempts: number;
    reason: string | null;
    status: number | null;
    event_time: string;
    updated_at: string;
    next_attempt_at: string | null;
    body?: string | null;
    attempt_log?: Attempt[];
}

export interface Attempt {
    number: number;
    at: string;
    took_ms: number;
    status: number;
    reason: string | null;
    detail: string | null;
    request_headers: Record<string, string>;
    response: string;
}
