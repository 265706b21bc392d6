// SPDX-License-Identifier: MIT
// Where the user is: #/page/detail?filter. Behind the hash, since /admin/locks is the API's.
import { computed, signal } from "@preact/signals";

export interface Place { page: string; rest: string[]; params: URLSearchParams }

function parse(): Place {
    const [path, search] = location.hash.replace(/^#\/?/, "").split("?");
    const params = new URLSearchParams(search ?? "");
    try {
        const [page, ...rest] = path.split("/").map(decodeURIComponent);
        return { page: page || "overview", rest, params };
    } catch {
        return { page: path, rest: [], params }; // no page has a percent sign in its name
    }
}

export const place = signal<Place>(parse());
addEventListener("hashchange", () => { place.value = parse(); });

export const pageKey = computed(() => [place.value.page, ...place.value.rest].join("/"));

export function link(page: string, ...rest: string[]): string {
    return "#/" + [page, ...rest].map(encodeURIComponent).join("/");
}

/** Changes filters of the page in place: no entry in the history for each letter typed. */
export function setParam(name: string, value: string): void {
    const params = new URLSearchParams(place.value.params);
    if (value) params.set(name, value);
    else params.delete(name);
    const search = params.toString();
    const path = location.hash.split("?")[0] || "#/overview";
    history.replaceState(null, "", path + (search ? "?" + search : ""));
    place.value = parse();
}

export function go(to: string): void {
    location.hash = to;
}
