// SPDX-License-Identifier: MIT
// Time as people read it. One clock ticks for the whole page.
import { signal } from "@preact/signals";

/** Milliseconds on the page's own clock; moves once a second while the page is looked at. */
export const now = signal(performance.now());
setInterval(() => {
    if (!document.hidden) now.value = performance.now();
}, 1000);

export function duration(ms: number): string {
    const seconds = Math.max(0, Math.round(ms / 1000));
    if (seconds < 60) return `${seconds} s`;
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return `${minutes} m ${String(seconds % 60).padStart(2, "0")} s`;
    const hours = Math.floor(minutes / 60);
    if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, "0")} m`;
    return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export function ago(time: string): string {
    const ms = Date.now() - Date.parse(time);
    return ms < 1500 ? "now" : `${duration(ms)} ago`;
}

export function absolute(time: string): string {
    const date = new Date(time);
    return Number.isNaN(date.valueOf()) ? time : date.toISOString().replace("T", " ")
        .replace(/\.(\d{3})Z$/, ".$1 UTC");
}

export function clockTime(time: string): string {
    const date = new Date(time);
    return Number.isNaN(date.valueOf()) ? time : date.toLocaleTimeString("en-GB");
}

export function count(value: number): string {
    return value.toLocaleString("en-US").replaceAll(",", "\u202f");
}

export function bytes(value: number): string {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (value >= 1024 && unit + 1 < units.length) {
        value /= 1024;
        ++unit;
    }
    return `${unit ? value.toFixed(1) : value} ${units[unit]}`;
}
