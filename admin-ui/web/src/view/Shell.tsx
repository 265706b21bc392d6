// SPDX-License-Identifier: MIT
// What surrounds every page.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { me, signOut } from "../model/credentials";
import { serverUp } from "../model/http";
import { link, pageKey, place } from "../model/route";
import { paused, refreshSeconds, theme, type Theme } from "../model/settings";
import { streamState, type StreamState } from "../model/stream";
import { openFinder } from "./Finder";
import { openShortcuts } from "./Shortcuts";

export const menu: [string, string][] = [
    ["overview", "Overview"], ["elections", "Elections"], ["locks", "Locks"],
    ["sessions", "Sessions"], ["webhooks", "Webhooks"], ["journal", "Journal"],
    ["system", "System"],
];

const streamText: Record<StreamState, string> = {
    off: "Off", connecting: "Connecting", live: "Live", waiting: "Reconnecting",
    unavailable: "Polling only",
};

function Navigation() {
    return (
        <nav aria-label="Pages">
            {menu.map(([page, title]) => (
                <a key={page} href={link(page)}
                    aria-current={place.value.page === page ? "page" : undefined}>{title}</a>
            ))}
        </nav>
    );
}

function Freshness() {
    const state = streamState.value;
    const tone = serverUp.value === false ? "warn" : state === "live" ? "good" : state === "unavailable" ? "plain" : "warn";
    return (
        <div class="freshness">
            <span class={`live ${paused.value ? "plain" : tone}`}>
                <span class="mark" aria-hidden="true">{tone === "good" && !paused.value ? "●" : "○"}</span>
                {paused.value ? "Paused" : serverUp.value === false ? "No answer" : streamText[state]}
            </span>
            <label class="visually-hidden" for="refresh">Refresh every</label>
            <select id="refresh" value={String(refreshSeconds.value)}
                onChange={(event) => { refreshSeconds.value = Number(event.currentTarget.value); }}>
                <option value="5">5 s</option>
                <option value="10">10 s</option>
                <option value="30">30 s</option>
                <option value="0">off</option>
            </select>
            <button type="button" aria-pressed={paused.value}
                onClick={() => { paused.value = !paused.value; }}>Pause</button>
        </div>
    );
}

function ThemeChoice() {
    return (
        <>
            <label class="visually-hidden" for="theme">Theme</label>
            <select id="theme" value={theme.value}
                onChange={(event) => { theme.value = event.currentTarget.value as Theme; }}>
                <option value="auto">Auto</option>
                <option value="light">Light</option>
                <option value="dark">Dark</option>
            </select>
        </>
    );
}

const menuOpen = signal(false);

export function Shell(props: { children: ComponentChildren }) {
    const main = useRef<HTMLElement>(null);
    const key = pageKey.value;
    useEffect(() => {
        // A new page begins at its top, for the keyboard too; the first one behind the sign-in as well.
        main.current?.focus();
        menuOpen.value = false;
        main.current?.scrollTo(0, 0);
        const title = menu.find(([page]) => page === place.peek().page)?.[1] ?? "";
        document.title = [...place.peek().rest, title, "OctoStore"].join(" · ");
    }, [key]);
    return (
        <div class="shell">
            <a class="skip" href="#main" onClick={(event) => {
                event.preventDefault();
                main.current?.focus();
            }}>To the content</a>
            <header class="top">
                <a class="brand" href={link("overview")}>
                    <img src="assets/icon.svg" alt="" width="22" height="22" />OctoStore</a>
                <button type="button" class="menu-button" aria-expanded={menuOpen.value}
                    onClick={() => { menuOpen.value = !menuOpen.value; }}>Menu</button>
                <button type="button" class="find" onClick={openFinder}>
                    <span>Find</span><kbd aria-hidden="true">Ctrl K</kbd></button>
                <Freshness />
                <ThemeChoice />
                <span class="user" title={`Signed in with ${me.value!.auth === "key" ? "the admin key" : "a token"}`}>
                    {me.value!.name}{me.value!.role !== me.value!.name && <span class="role">{me.value!.role}</span>}</span>
                <button type="button" class="quiet help" aria-label="Keyboard shortcuts"
                    onClick={openShortcuts}>?</button>
                <button type="button" onClick={() => signOut()}>Sign out</button>
            </header>
            <aside class={menuOpen.value ? "side open" : "side"}><Navigation /></aside>
            <main id="main" ref={main} tabIndex={-1}>
                {serverUp.value === false && <p class="outage" role="alert">
                    The server does not answer. What you see is how it was; this page goes on trying.</p>}
                {props.children}
            </main>
        </div>
    );
}
