// SPDX-License-Identifier: MIT
// Requests to the server this page came from.
import { signal } from "@preact/signals";
import { credential, headersOf, me, signOut, type Credential } from "./credentials";

/** An answer that is no success. */
export class ApiError extends Error {
    constructor(readonly status: number, readonly code: string, message: string,
        readonly requestId: string) {
        super(message);
    }
}

/** Whether the server answered last time; null before the first time. */
export const serverUp = signal<boolean | null>(null);
export const lastAnswer = signal(0);

/** How long the answer to a question may take, in milliseconds. Acts take as long as they take. */
const longestAnswer = 10000;

function lateSignal(): AbortSignal {
    const abort = new AbortController();
    setTimeout(() => abort.abort(new DOMException("", "TimeoutError")), longestAnswer);
    return abort.signal;
}

// The page is PREFIX/admin/, the API PREFIX/.
const root = new URL("..", location.href.replace(/[?#].*$/, ""));

export function apiUrl(path: string): string {
    return new URL(path.replace(/^\//, ""), root).href;
}

export function segment(name: string): string {
    return encodeURIComponent(name).replace(/[!'()*]/g,
        (character) => "%" + character.charCodeAt(0).toString(16).toUpperCase());
}

export function query(params: Record<string, string | number | undefined>): string {
    const pairs = Object.entries(params)
        .filter(([, value]) => value !== undefined && value !== "")
        .map(([key, value]) => `${key}=${encodeURIComponent(String(value))}`);
    return pairs.length ? "?" + pairs.join("&") : "";
}

function isOutage(status: number): boolean {
    return status === 502 || status === 504;
}

function unreachable(): ApiError {
    serverUp.value = false;
    return new ApiError(0, "unreachable", "The server does not answer.", "");
}

/**
 * The answer, whatever its status. Throws ApiError with status 0 when there is none, or none in time;
 * who gives a signal of its own waits as long as that allows.
 */
export async function send(path: string, init: RequestInit = {},
    given: Credential | null = credential.value): Promise<Response> {
    let response: Response;
    try {
        response = await fetch(apiUrl(path), {
            ...init,
            signal: init.signal ?? (init.method ? null : lateSignal()),
            cache: "no-store",
            credentials: "omit",
            redirect: "error",
            referrerPolicy: "no-referrer",
            headers: { ...headersOf(given), ...(init.headers as Record<string, string>) },
        });
    } catch (error) {
        if ((error as Error).name === "AbortError") throw error;
        throw unreachable();
    }
    serverUp.value = !isOutage(response.status);
    lastAnswer.value = Date.now();
    return response;
}

export async function errorOf(response: Response): Promise<ApiError> {
    let body: Record<string, string> = {};
    try {
        body = await response.json() as Record<string, string>;
    } catch {
        // A proxy's page, or nothing.
    }
    const text = body.details || body.error || `The server answered ${response.status}.`;
    return new ApiError(response.status, body.code ?? "", text, body.request_id ?? "");
}

async function checked(response: Response): Promise<Response> {
    if (response.ok) return response;
    const error = await errorOf(response);
    if (error.status === 401 && me.value)
        signOut("Your credential is not valid any more. Sign in again.");
    throw error;
}

/** The body: it may end early, or not come in time. */
async function jsonOf<T>(response: Response): Promise<T> {
    try {
        return await response.json() as T;
    } catch (error) {
        if (error instanceof SyntaxError)
            throw new ApiError(response.status, "", "The answer is no JSON; a proxy may have made it.", "");
        throw unreachable();
    }
}

export async function get<T>(path: string): Promise<T> {
    return jsonOf<T>(await checked(await send(path)));
}

/** A GET that answers null when nothing changed since the last call with the same `memory`. */
export async function getChanged<T>(path: string, memory: Map<string, string>): Promise<T | null> {
    const etag = memory.get(path);
    const response = await send(path, etag ? { headers: { "If-None-Match": etag } } : {});
    if (response.status === 304) return null;
    await checked(response);
    const fresh = response.headers.get("etag");
    if (fresh) memory.set(path, fresh);
    else memory.delete(path);
    return jsonOf<T>(response);
}

/** POST, PUT, PATCH or DELETE. The answer's JSON, or null when it has none. */
export async function act<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await checked(await send(path, {
        method,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body ?? {}),
    }));
    const text = await response.text();
    return (text ? JSON.parse(text) : null) as T;
}

/** A file the server makes for us. */
export async function download(path: string, body: unknown): Promise<Blob> {
    const response = await checked(await send(path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
    }));
    return await response.blob();
}
