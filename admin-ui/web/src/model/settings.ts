// SPDX-License-Identifier: MIT
// What this browser remembers: no credential, no data.
import { computed, effect, signal, type Signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";

function remembered<T>(name: string, fallback: T): Signal<T> {
    const key = `octostore.${name}`;
    let start = fallback;
    try {
        const stored = localStorage.getItem(key);
        if (stored !== null) start = JSON.parse(stored) as T;
    } catch {
        // Storage is off or holds nonsense: the default will do.
    }
    const value = signal(start);
    effect(() => {
        try {
            localStorage.setItem(key, JSON.stringify(value.value));
        } catch {
            // As above.
        }
    });
    return value;
}

export const theme = remembered<Theme>("theme", "auto");

const system = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(system.matches);
system.addEventListener("change", () => { systemIsDark.value = system.matches; });
/** Whether the page is drawn in dark colours. */
export const dark = computed(() =>
    theme.value === "auto" ? systemIsDark.value : theme.value === "dark");

/** Seconds between two polls; 0 is off. */
export const refreshSeconds = remembered("refresh", 5);
export const letterKeys = remembered("letters", true);
export const paused = signal(false);

effect(() => {
    document.documentElement.dataset.theme = theme.value;
});

const narrowWindow = matchMedia("(max-width: 560px)");
/** As in the style sheets. */
export const narrow = signal(narrowWindow.matches);
narrowWindow.addEventListener("change", () => { narrow.value = narrowWindow.matches; });
