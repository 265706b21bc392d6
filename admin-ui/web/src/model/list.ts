// SPDX-License-Identifier: MIT
// A list that the server searches, sorts and pages; kept fresh without moving under the pointer.
import { signal } from "@preact/signals";
import { ApiError, getChanged, query } from "./http";
import type { Page } from "./types";

export type Params = Record<string, string | number | undefined>;

const pageSize = 100;
const largestPage = 1000;

interface Range { limit: number; after?: string }

interface Counting { ttl_remaining_ms?: number | null }
/** When this page got the row, on its own clock: what is left is counted from there. */
const receivedAt = new WeakMap<object, number>();

export function deadlineOf(row: object & Counting): number | null {
    const left = row.ttl_remaining_ms;
    if (left === null || left === undefined) return null;
    return (receivedAt.get(row) ?? performance.now()) + left;
}

export function received<T extends object>(row: T): T {
    receivedAt.set(row, performance.now());
    return row;
}

export class PagedList<T extends object> {
    readonly items = signal<T[]>([]);
    readonly total = signal(0);
    readonly loaded = signal(false);
    readonly error = signal<ApiError | null>(null);
    /** Rows that came, went or moved while the order was held. */
    readonly waiting = signal(0);
    readonly more = signal(false);
    /** Whether the pointer or the focus is on the rows. */
    isHeld = (): boolean => false;

    private next: string | null = null;
    private fresh: T[] | null = null;
    private etags = new Map<string, string>();
    private params: Params = {};
    private generation = 0;
    private busy = false;
    private again = false;
    private further = false;
    /** Other rows were asked for: nothing is held back. */
    private anew = true;

    constructor(private readonly path: string, readonly keyOf: (row: T) => string) {}

    /** Shows what fits `params`, from the beginning. */
    open(params: Params): void {
        this.params = params;
        ++this.generation;
        this.etags.clear();
        this.fresh = null;
        this.waiting.value = 0;
        this.again = false;
        this.further = false;
        this.anew = true;
        void this.load(pageSize);
    }

    /** Asks for what is shown again; nothing is drawn when nothing changed. */
    refresh(): void {
        if (this.busy) this.again = true;
        else void this.load(Math.max(pageSize, this.items.peek().length));
    }

    /** The next page, behind what is there. */
    showMore(): void {
        if (this.busy) this.further = true;
        else if (this.next) void this.loadMore(this.next);
    }

    /** Brings in what was held back. */
    settle(): void {
        if (this.fresh) this.items.value = this.fresh;
        this.fresh = null;
        this.waiting.value = 0;
    }

    /** Changes the rows that are shown at once; the next refresh brings the rest. */
    patch(change: (row: T) => T): void {
        this.items.value = this.items.peek().map(change);
        this.etags.clear();
    }

    private load(wanted: number): Promise<void> {
        return this.alone(async (isCurrent) => {
            const rows: T[] = [];
            let after: string | undefined;
            let page: Page<T> | null = null;
            do {
                page = await this.fetchPage(
                    { limit: Math.min(wanted - rows.length, largestPage), after });
                if (!isCurrent() || !page) return;
                rows.push(...page.items);
                after = page.next ?? undefined;
            } while (after && rows.length < wanted);
            this.take(page, rows);
        });
    }

    private loadMore(after: string): Promise<void> {
        return this.alone(async (isCurrent) => {
            // Whoever goes far down goes further: the pages grow with what is there.
            const limit = Math.min(largestPage, Math.max(pageSize, this.items.peek().length));
            const page = await this.fetchPage({ limit, after });
            if (isCurrent() && page) this.take(page, [...this.items.peek(), ...page.items]);
        });
    }

    /** One request after the other; what was asked for in the meantime follows. */
    private async alone(work: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
        const generation = this.generation;
        const isCurrent = () => generation === this.generation;
        this.busy = true;
        try {
            await work(isCurrent);
        } catch (error) {
            if (isCurrent()) this.fail(error);
        } finally {
            if (isCurrent()) this.follow();
        }
    }

    private follow(): void {
        this.busy = false;
        if (this.again) {
            this.again = false;
            this.refresh();
        } else if (this.further) {
            this.further = false;
            this.showMore();
        }
    }

    private async fetchPage({ limit, after }: Range): Promise<Page<T> | null> {
        const path = this.path + query({ ...this.params, limit, after });
        // Only a list of one page is asked for conditionally: several must be of one time.
        const several = after !== undefined || limit > pageSize;
        const page = await getChanged<Page<T>>(path, several ? new Map() : this.etags);
        this.error.value = null;
        page?.items.forEach(received);
        return page;
    }

    private take(page: Page<T>, rows: T[]): void {
        this.next = page.next;
        this.more.value = page.next !== null;
        this.total.value = page.total;
        const shown = this.items.peek();
        const moved = !this.anew && this.isHeld() ? this.countMoves(shown, rows) : 0;
        this.loaded.value = true;
        this.anew = false;
        if (!moved) {
            this.items.value = rows;
            this.fresh = null;
            this.waiting.value = 0;
            return;
        }
        const byKey = new Map(rows.map((row) => [this.keyOf(row), row]));
        this.fresh = rows;
        this.waiting.value = moved;
        this.items.value = shown.map((row) => byKey.get(this.keyOf(row)) ?? row);
    }

    private countMoves(shown: T[], rows: T[]): number {
        if (rows.length > shown.length) {
            const same = shown.every((row, at) => this.keyOf(row) === this.keyOf(rows[at]));
            if (same && this.fresh === null) return 0; // only longer: nothing moves
        }
        let moves = Math.abs(rows.length - shown.length);
        for (let at = 0; at < Math.min(rows.length, shown.length); ++at)
            if (this.keyOf(shown[at]) !== this.keyOf(rows[at])) ++moves;
        return moves;
    }

    private fail(error: unknown): void {
        if (error instanceof ApiError) this.error.value = error;
        else throw error;
    }
}
