// SPDX-License-Identifier: MIT
// Who held a name when, from its events.
import { absolute, duration } from "../model/clock";
import type { JournalEvent } from "../model/types";

interface Term { term: number; holder: string; from: number; to: number | null; why: string }

/** The terms that the events tell of; one whose begin is not known is left out. */
export function termsOf(events: JournalEvent[]): Term[] {
    const terms: Term[] = [];
    for (const event of events) {
        const open = terms.at(-1);
        const at = Date.parse(event.time);
        if (open && open.to === null && event.previous && event.current?.term !== open.term) {
            open.to = at;
            open.why = event.cause ?? "";
        }
        if (event.current?.term && event.current.term !== terms.at(-1)?.term)
            terms.push({ term: event.current.term, holder: event.current.holder, from: at,
                to: null, why: "" });
    }
    return terms;
}

export function Timeline(props: { events: JournalEvent[] }) {
    const terms = termsOf(props.events).slice(-40);
    if (!terms.length) return <p class="faint pad">No term began in the part of the journal that was read.</p>;
    const begin = terms[0].from;
    const end = Date.now();
    const span = Math.max(1000, end - begin);
    const x = (time: number) => (time - begin) / span * 1000;
    return (
        <div class="timeline">
            <svg viewBox="0 0 1000 14" preserveAspectRatio="none" aria-hidden="true">
                <rect class="vacant" x="0" y="3" width="1000" height="8" />
                {terms.map((term, at) => (
                    <rect key={term.term} class={`term ${at % 2 ? "odd" : "even"}`} x={x(term.from)}
                        y="0" height="14"
                        width={Math.max(1.5, x(term.to ?? end) - x(term.from) - 1)}>
                        <title>{`${term.holder}, term ${term.term}`}</title>
                    </rect>
                ))}
            </svg>
            <ol>
                {terms.slice(-8).reverse().map((term) => (
                    <li key={term.term}>
                        <span class="num">{term.term}</span>
                        <span class="mono">{term.holder}</span>
                        <span class="faint" title={absolute(new Date(term.from).toISOString())}>
                            {term.to === null ? `for ${duration(end - term.from)}, live`
                                : `${duration(term.to - term.from)}, ${term.why || "ended"}`}
                        </span>
                    </li>
                ))}
            </ol>
        </div>
    );
}
