// SPDX-License-Identifier: MIT
// Keys. Single letters can be switched off (WCAG 2.1.4).
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { refreshNow } from "../model/hooks";
import { letterKeys } from "../model/settings";
import { openFinder } from "./Finder";

const open = signal(false);

export function openShortcuts(): void {
    open.value = true;
}

const keys: [string, string][] = [
    ["Ctrl K", "Find a lock, room, session or page"],
    ["/", "To the filter of this page"],
    ["j, k", "Next row, row before"],
    ["Enter", "Open the row"],
    ["r", "Read again"],
    ["?", "This list"],
    ["Esc", "Close a dialog"],
];

function moveRow(step: number): void {
    const rows = [...document.querySelectorAll<HTMLElement>("main a.row-link")];
    if (!rows.length) return;
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + step))];
    next.focus();
    next.scrollIntoView({ block: "nearest" });
}

function focusFilter(): void {
    const filter = document.querySelector<HTMLInputElement>("main input[type=search]");
    if (filter) filter.focus();
    else openFinder();
}

const letters: Record<string, () => void> = {
    "/": focusFilter,
    j: () => moveRow(1),
    k: () => moveRow(-1),
    r: () => { ++refreshNow.value; },
    "?": openShortcuts,
};

addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open], .sign-in")) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openFinder();
        return;
    }
    const target = event.target as HTMLElement;
    if (!letterKeys.peek() || event.ctrlKey || event.metaKey || event.altKey ||
        target.matches("input, textarea, select")) return;
    const act = letters[event.key];
    if (!act) return;
    event.preventDefault();
    act();
});

export function Shortcuts() {
    const dialog = useRef<HTMLDialogElement>(null);
    useEffect(() => { if (open.value) dialog.current?.showModal(); }, [open.value]);
    if (!open.value) return null;
    return (
        <dialog ref={dialog} aria-labelledby="keys-title" onClose={() => { open.value = false; }}>
            <h2 id="keys-title">Keys</h2>
            <dl class="keys">{keys.map(([key, what]) =>
                <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>)}</dl>
            <label class="check"><input type="checkbox" checked={letterKeys.value}
                onChange={(event) => { letterKeys.value = event.currentTarget.checked; }} />
                Single letters are shortcuts</label>
            <div class="buttons"><button type="button" onClick={() => dialog.current?.close()}>Close</button></div>
        </dialog>
    );
}
