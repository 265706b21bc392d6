// SPDX-License-Identifier: MIT
// What a screen reader is told, and the notes in the corner.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

interface Toast { id: number; tone: "good" | "bad"; text: ComponentChildren }

const spoken = signal("");
const toasts = signal<Toast[]>([]);
let nextId = 0;

/** Says something without showing it. */
export function announce(text: string): void {
    spoken.value = "";
    requestAnimationFrame(() => { spoken.value = text; });
}

function dismiss(id: number): void {
    toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Shows a note; good ones go by themselves. */
export function note(tone: "good" | "bad", text: ComponentChildren): void {
    const id = nextId++;
    toasts.value = [...toasts.value, { id, tone, text }];
    if (tone === "good") setTimeout(() => dismiss(id), 10000);
}

/** Shows what went wrong. */
export function complain(problem: unknown): void {
    if (!(problem instanceof Error)) throw problem;
    note("bad", problem.message);
}

export function Announcer() {
    return (
        <>
            <div class="visually-hidden" role="status" aria-live="polite">{spoken.value}</div>
            <div class="toasts" role="log" aria-label="Notes" aria-live="polite">
                {toasts.value.map((toast) => (
                    <div class={`toast ${toast.tone}`} key={toast.id}>
                        <span>{toast.text}</span>
                        <button type="button" class="quiet" aria-label="Dismiss this note"
                            onClick={() => dismiss(toast.id)}>×</button>
                    </div>
                ))}
            </div>
        </>
    );
}
