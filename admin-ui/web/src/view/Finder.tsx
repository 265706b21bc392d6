// SPDX-License-Identifier: MIT
// Jumps to a page, lock, room or session by a part of its name.
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { get, query } from "../model/http";
import { go, link } from "../model/route";
import type { Election, Lock, Page, Session } from "../model/types";
import { menu } from "./Shell";

interface Hit { kind: string; name: string; to: string }

const open = signal(false);

export function openFinder(): void {
    open.value = true;
}

function pagesLike(text: string): Hit[] {
    return menu.filter(([, title]) => title.toLowerCase().includes(text.toLowerCase()))
        .map(([page, title]) => ({ kind: "page", name: title, to: link(page) }));
}

async function search(text: string): Promise<Hit[]> {
    if (!text) return pagesLike("");
    const list = async <T,>(path: string, toHit: (row: T) => Hit): Promise<Hit[]> => {
        try {
            return (await get<Page<T>>(path + query({ q: text, limit: 6 }))).items.map(toHit);
        } catch {
            return []; // That plugin is off; the other kinds are found.
        }
    };
    const found = await Promise.all([
        list<Lock>("admin/locks", ({ name }) => ({ kind: "lock", name, to: link("locks", name) })),
        list<Election>("admin/elections", ({ election_id: name }) =>
            ({ kind: "election", name, to: link("elections", name) })),
        list<Session>("admin/sessions", ({ id: name, account }) =>
            ({ kind: `session of ${account}`, name, to: link("sessions", name) })),
    ]);
    return [...pagesLike(text), ...found.flat()];
}

function Content(props: { close: () => void }) {
    const hits = useSignal<Hit[]>(pagesLike(""));
    const chosen = useSignal(0);
    const asked = useRef("");
    useEffect(() => document.getElementById(`hit-${chosen.value}`)?.scrollIntoView({ block: "nearest" }),
        [chosen.value]);
    const input = async (text: string) => {
        asked.current = text;
        const found = await search(text);
        if (asked.current !== text) return;
        hits.value = found;
        chosen.value = 0;
    };
    const take = (hit: Hit | undefined) => {
        if (!hit) return;
        props.close();
        go(hit.to);
    };
    const key = (event: KeyboardEvent) => {
        const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        if (step) chosen.value = Math.max(0, Math.min(hits.value.length - 1, chosen.value + step));
        else if (event.key === "Enter") take(hits.value[chosen.value]);
        else return;
        event.preventDefault();
    };
    return (
        <>
            <label class="visually-hidden" for="finder-input">Find</label>
            <input id="finder-input" type="text" role="combobox" aria-expanded="true"
                aria-controls="finder-hits" aria-activedescendant={`hit-${chosen.value}`}
                autocomplete="off" spellcheck={false} placeholder="A part of a name"
                onInput={(event) => void input(event.currentTarget.value.trim())} onKeyDown={key} />
            <ul id="finder-hits" role="listbox" aria-label="Found">
                {hits.value.map((hit, at) => (
                    <li key={hit.to} id={`hit-${at}`} role="option" aria-selected={at === chosen.value}
                        onClick={() => take(hit)}>
                        <span class={hit.kind === "page" ? "" : "mono"}>{hit.name}</span>
                        <span class="faint">{hit.kind}</span>
                    </li>
                ))}
            </ul>
            {!hits.value.length && <p class="faint pad">Nothing has this in its name.</p>}
        </>
    );
}

export function Finder() {
    const dialog = useRef<HTMLDialogElement>(null);
    useEffect(() => {
        if (!open.value || !dialog.current) return;
        dialog.current.showModal();
        dialog.current.querySelector("input")?.focus();
    }, [open.value]);
    if (!open.value) return null;
    return (
        <dialog ref={dialog} class="finder" aria-label="Find" onClose={() => { open.value = false; }}>
            <Content close={() => dialog.current?.close()} />
        </dialog>
    );
}
