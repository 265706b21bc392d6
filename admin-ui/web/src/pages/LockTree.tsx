// SPDX-License-Identifier: MIT
// Held locks by the parts of their names.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { count } from "../model/clock";
import { ApiError, get, query } from "../model/http";
import { usePoll } from "../model/hooks";
import { link } from "../model/route";
import type { Lock, Page } from "../model/types";
import { Countdown, Empty, Loading, Problem } from "../view/Parts";
import { received } from "../model/list";

const mostLocks = 20000;
const mostChildren = 500;
/** Folders with so few locks are open from the start. */
const few = 30;

export interface Branch { name: string; path: string; locks: number; lock: Lock | null; children: Map<string, Branch> }

function branch(name: string, path: string): Branch {
    return { name, path, locks: 0, lock: null, children: new Map() };
}

export function treeOf(locks: Lock[]): Branch {
    const root = branch("", "");
    for (const lock of locks) {
        let at = root;
        ++at.locks;
        for (const part of lock.name.split("/")) {
            let next = at.children.get(part);
            if (!next) {
                next = branch(part, at.path ? `${at.path}/${part}` : part);
                at.children.set(part, next);
            }
            at = next;
            ++at.locks;
        }
        at.lock = lock;
    }
    return root;
}

function Leaf(props: { branch: Branch }) {
    const lock = props.branch.lock!;
    return (
        <li class="leaf">
            <a class="mono row-link" href={link("locks", lock.name)}>{props.branch.name}</a>
            <span class="mono faint">{lock.holder}</span>
            <span class="num faint">{lock.fencing_token}</span>
            <Countdown row={lock} />
        </li>
    );
}

function Folder(props: { branch: Branch; start: boolean }) {
    const { branch: folder } = props;
    const open = useSignal(props.start);
    return (
        <li>
            <details open={open.value} onToggle={(event) => { open.value = event.currentTarget.open; }}>
                <summary><span class="mono">{folder.name}/</span>
                    <span class="num faint">{count(folder.locks)}</span></summary>
                {open.value && <Children of={folder} />}
            </details>
        </li>
    );
}

function Children(props: { of: Branch }) {
    const children = [...props.of.children.values()];
    const only = children.length === 1;
    return (
        <ul class="tree">
            {children.slice(0, mostChildren).map((child) => (
                <>
                    {child.lock && <Leaf key={child.path} branch={child} />}
                    {child.children.size > 0 && <Folder key={child.path + "/"} branch={child} start={only || child.locks <= few} />}
                </>
            ))}
            {children.length > mostChildren &&
                <li class="faint">{count(children.length - mostChildren)} more: use the list and its filter.</li>}
        </ul>
    );
}

export function LockTree() {
    const locks = useSignal<Lock[] | null>(null);
    const total = useSignal(0);
    const error = useSignal<ApiError | null>(null);
    const read = async () => {
        try {
            const all: Lock[] = [];
            let after: string | undefined;
            do {
                const page: Page<Lock> = await get<Page<Lock>>(
                    "admin/locks" + query({ sort: "name", limit: 1000, after }));
                all.push(...page.items.map(received));
                total.value = page.total;
                after = page.next ?? undefined;
            } while (after && all.length < mostLocks);
            locks.value = all;
            error.value = null;
        } catch (problem) {
            if (!(problem instanceof ApiError)) throw problem;
            error.value = problem;
        }
    };
    usePoll(() => void read());
    const tree = useMemo(() => treeOf(locks.value ?? []), [locks.value]);
    if (error.value && !locks.value) return <Problem error={error.value} what="Locks" />;
    if (!locks.value) return <Loading />;
    if (!locks.value.length) return <Empty title="No lock is held" />;
    return (
        <section class="panel" aria-label="Locks as a tree">
            {locks.value.length < total.value &&
                <p class="faint pad">The first {count(locks.value.length)} of {count(total.value)} names.</p>}
            <Children of={tree} />
        </section>
    );
}
