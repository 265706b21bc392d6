// SPDX-License-Identifier: MIT
// Who uses the console. The credential lives in memory; only when asked to, in this tab's storage.
import { computed, signal } from "@preact/signals";
import type { Me } from "./types";

export type CredentialKind = "key" | "token";
export interface Credential { kind: CredentialKind; secret: string }

const storageKey = "octostore.credential";

export const credential = signal<Credential | null>(null);
export const me = signal<Me | null>(null);
export const signedOutBecause = signal("");
export const mayAct = computed(() => me.value?.role === "admin");

export function headersOf(given: Credential | null): Record<string, string> {
    if (!given) return {};
    return given.kind === "key"
        ? { "X-Admin-Key": given.secret }
        : { Authorization: `Bearer ${given.secret}` };
}

export function keep(given: Credential, inTab: boolean): void {
    credential.value = given;
    if (inTab) sessionStorage.setItem(storageKey, JSON.stringify(given));
    else sessionStorage.removeItem(storageKey);
}

/** What this tab was asked to keep, if it was. */
export function kept(): Credential | null {
    try {
        return JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as Credential | null;
    } catch {
        return null;
    }
}

/** After rotation: the old token is dead. */
export function replaceSecret(secret: string): void {
    if (credential.value)
        keep({ ...credential.value, secret }, sessionStorage.getItem(storageKey) !== null);
}

export function signOut(because = ""): void {
    sessionStorage.removeItem(storageKey);
    signedOutBecause.value = because;
    me.value = null;
    credential.value = null;
}
