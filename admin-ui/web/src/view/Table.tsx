// SPDX-License-Identifier: MIT
// A table of any length: only the rows in sight exist.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { count } from "../model/clock";
import type { PagedList } from "../model/list";
import { place, setParam } from "../model/route";
import { Empty, Loading, Problem } from "./Parts";

export interface Column<T> {
    title: string;
    /** The server's name for sorting by it. */
    sort?: string;
    /** `roomy`: left out in a narrow window. */
    class?: string;
    cell: (row: T) => ComponentChildren;
}

interface Props<T extends object> {
    list: PagedList<T>;
    columns: Column<T>[];
    what: string;
    link: (row: T) => string;
    defaultSort: string;
    empty: ComponentChildren;
}

const rowHeight = 32;
const spareRows = 12;

function SortHeader<T>(props: { column: Column<T>; active: string }) {
    const { column, active } = props;
    if (!column.sort) return <th scope="col" class={column.class}>{column.title}</th>;
    const ascending = active === column.sort;
    const descending = active === "-" + column.sort;
    const direction = ascending ? "ascending" : descending ? "descending" : "none";
    return (
        <th scope="col" class={column.class} aria-sort={direction}>
            <button type="button" class="sort"
                onClick={() => setParam("sort", ascending ? "-" + column.sort : column.sort!)}>
                {column.title}
                <span aria-hidden="true">{ascending ? " ↑" : descending ? " ↓" : ""}</span>
            </button>
        </th>
    );
}

function useWindow(length: number) {
    const box = useRef<HTMLDivElement>(null);
    const first = useSignal(0);
    const visible = useSignal(40);
    useEffect(() => {
        const element = box.current;
        if (!element) return;
        const measure = () => {
            first.value = Math.max(0, Math.floor(element.scrollTop / rowHeight) - spareRows);
            visible.value = Math.ceil(element.clientHeight / rowHeight) + 2 * spareRows;
        };
        const observer = new ResizeObserver(measure);
        observer.observe(element);
        element.addEventListener("scroll", measure, { passive: true });
        return () => {
            observer.disconnect();
            element.removeEventListener("scroll", measure);
        };
    }, [length === 0]);
    const start = Math.min(first.value, Math.max(0, length - 1));
    return { box, start, end: Math.min(length, start + visible.value) };
}

function Row<T extends object>(props: { row: T; at: number; table: Props<T> }) {
    const { row, at, table } = props;
    // Scrolling draws the table for each frame: rows that stay are not drawn again.
    return useMemo(() => (
        <tr aria-rowindex={at + 2}>
            {table.columns.map((column, number) => (
                <td key={column.title} class={column.class}>
                    {number === 0
                        ? <a class="row-link" href={table.link(row)}>{column.cell(row)}</a>
                        : column.cell(row)}
                </td>
            ))}
        </tr>
    ), [row, at]);
}

export function Table<T extends object>(props: Props<T>) {
    const { list } = props;
    const rows = list.items.value;
    const { box, start, end } = useWindow(rows.length);
    const sort = place.value.params.get("sort") ?? props.defaultSort;
    const filter = place.value.params.get("q") ?? "";
    useEffect(() => box.current?.scrollTo(0, 0), [sort, filter]);
    useEffect(() => {
        if (end >= rows.length - spareRows && list.more.peek()) list.showMore();
    }, [end, rows.length]);
    const pointed = useRef(false);
    useEffect(() => {
        const hasFocus = () => box.current?.querySelector("tbody")?.contains(document.activeElement) === true;
        list.isHeld = () => pointed.current || hasFocus();
        return () => { list.isHeld = () => false; };
    }, [list]);

    if (list.error.value && (!rows.length || list.error.value.status === 403))
        return <Problem error={list.error.value} what={props.what} />;
    if (!list.loaded.value) return <Loading />;
    if (!rows.length) {
        if (!filter) return <>{props.empty}</>;
        return (
            <Empty title="Nothing fits this filter">
                <p><button type="button" onClick={() => setParam("q", "")}>Clear the filter</button></p>
            </Empty>
        );
    }
    const hold = (held: boolean) => () => { pointed.current = held; };
    return (
        <div class="table-frame">
            <div class="table-box" ref={box} onPointerEnter={hold(true)} onPointerLeave={hold(false)}
                tabIndex={-1}>
                <table aria-rowcount={list.total.value + 1} aria-label={props.what}>
                    <thead>
                        <tr>{props.columns.map((column) =>
                            <SortHeader key={column.title} column={column} active={sort} />)}</tr>
                    </thead>
                    <tbody>
                        {start > 0 && <tr aria-hidden="true" class="spacer"
                            style={{ height: `${start * rowHeight}px` }} />}
                        {rows.slice(start, end).map((row, at) =>
                            <Row key={list.keyOf(row)} row={row} at={start + at} table={props} />)}
                        {end < rows.length && <tr aria-hidden="true" class="spacer"
                            style={{ height: `${(rows.length - end) * rowHeight}px` }} />}
                    </tbody>
                </table>
            </div>
            <footer class="table-foot">
                <span class="num">{list.more.value
                    ? `${count(rows.length)} of ${count(list.total.value)} read; scroll for more`
                    : `${count(list.total.value)} in all`}</span>
                {list.waiting.value > 0 &&
                    <button type="button" onClick={() => list.settle()}>
                        {count(list.waiting.value)} changes, show</button>}
            </footer>
        </div>
    );
}
