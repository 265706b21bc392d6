// SPDX-License-Identifier: MIT
// A plot with what it says in words, and as a table.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { dark } from "../model/settings";

export interface Line { name: string; values: (number | null)[]; dashed?: boolean }

interface Props {
    title: string;
    unit: string;
    times: number[];
    lines: Line[];
    digits?: number;
    /** The end of the scale; without it the scale follows the values. */
    most?: number;
}

const height = 132;
const narrowest = 160;
/** Between the lines of a scale that counts. */
const wholeSteps = [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((digits) => [1, 2, 5].map((step) => step * 10 ** digits));

/** What a colour of the style sheet is now: a canvas knows no variables. */
function colour(element: HTMLElement, name: string): string {
    element.style.color = `var(${name})`;
    const now = getComputedStyle(element).color;
    element.style.color = "";
    return now;
}

function timeText(seconds: number, withSeconds: boolean): string {
    return new Date(seconds * 1000).toLocaleTimeString("en-GB").slice(0, withSeconds ? 8 : 5);
}

function options(props: Props, element: HTMLElement): uPlot.Options {
    const axis = {
        stroke: colour(element, "--faint"), font: "11px system-ui, sans-serif",
        grid: { stroke: colour(element, "--line"), width: 1 }, ticks: { show: false },
    };
    const colours = [colour(element, "--accent"), colour(element, "--second")];
    return {
        width: Math.max(narrowest, element.clientWidth), height, legend: { show: false },
        padding: [8, 24, 0, 0], cursor: { points: { size: 6 }, drag: { x: false, y: false } },
        scales: { y: { range: (_plot, _low, high) =>
            [0, props.most ?? (high > 0 ? high * 1.15 : 1)] } },
        axes: [
            { ...axis, size: 24, space: 52, values: (_plot, splits, _axis, _space, step) =>
                splits.map((time) => timeText(time, step < 60)) },
            { ...axis, size: 42, space: 20, ...!props.digits && { incrs: wholeSteps } },
        ],
        series: [{}, ...props.lines.map((line, at) => ({
            label: line.name, stroke: colours[at], width: 1.5, spanGaps: false,
            dash: line.dashed ? [4, 3] : undefined,
            fill: at === 0 ? colour(element, "--accent-fill") : undefined,
            points: { show: false },
        }))],
    };
}

function format(value: number | null | undefined, props: Props): string {
    if (value === null || value === undefined) return "–";
    return `${value.toFixed(props.digits ?? 0)}${props.unit ? " " + props.unit : ""}`;
}

function summary(line: Line, props: Props): string {
    const known = line.values.filter((value): value is number => value !== null);
    if (!known.length) return `${line.name}: no data yet`;
    return `${line.name} now ${format(known.at(-1), props)}, ` +
        `${format(Math.min(...known), props)} to ${format(Math.max(...known), props)}`;
}

function Numbers(props: Props) {
    const open = useSignal(false);
    const rows = open.value ? props.times.map((time, at) => ({ time, at })).reverse() : [];
    return (
        <details class="numbers" onToggle={(event) => { open.value = event.currentTarget.open; }}>
            <summary>As a table</summary>
            <div class="numbers-box" tabIndex={0} role="group" aria-label={`${props.title}, numbers`}>
                <table>
                    <thead><tr><th scope="col">Time</th>{props.lines.map((line) =>
                        <th scope="col" class="right" key={line.name}>{line.name}</th>)}</tr></thead>
                    <tbody>{rows.map(({ time, at }) => (
                        <tr key={time}>
                            <td class="num">{timeText(time, true)}</td>
                            {props.lines.map((line) =>
                                <td key={line.name} class="num right">{format(line.values[at], props)}</td>)}
                        </tr>
                    ))}</tbody>
                </table>
            </div>
        </details>
    );
}

function dataOf(props: Props): uPlot.AlignedData {
    return [props.times, ...props.lines.map((line) => line.values)] as uPlot.AlignedData;
}

export function Plot(props: Props) {
    const box = useRef<HTMLDivElement>(null);
    const plot = useRef<uPlot | null>(null);
    const inDark = dark.value;
    const empty = props.times.length === 0;
    useEffect(() => {
        const element = box.current;
        if (!element || empty) return;
        plot.current = new uPlot(options(props, element), dataOf(props), element);
        const observer = new ResizeObserver(() => plot.current?.setSize(
            { width: Math.max(narrowest, element.clientWidth), height }));
        observer.observe(element);
        return () => {
            observer.disconnect();
            plot.current?.destroy();
            plot.current = null;
        };
    }, [inDark, empty, props.lines.length]);
    useEffect(() => plot.current?.setData(dataOf(props)), [props.times]);
    return (
        <figure class="plot">
            <figcaption>
                <span class="strong">{props.title}</span>
                <span class="faint">{props.lines.map((line) => summary(line, props)).join("; ")}</span>
            </figcaption>
            {empty ? <p class="faint plot-empty">Nothing measured yet</p>
                : <div ref={box} aria-hidden="true" />}
            {!empty && <Numbers {...props} />}
        </figure>
    );
}
