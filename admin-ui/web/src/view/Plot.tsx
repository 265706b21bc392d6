// SPDX-License-Identifier: MIT
// A plot with what it says in words, and as a table.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { theme } from "../model/settings";

export interface Line { name: string; values: (number | null)[]; dashed?: boolean }

interface Props {
    title: string;
    unit: string;
    times: number[];
    lines: Line[];
    digits?: number;
}

function colour(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function options(props: Props, width: number): uPlot.Options {
    const axis = {
        stroke: colour("--faint"), font: "11px system-ui, sans-serif",
        grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false },
    };
    const colours = [colour("--accent"), colour("--second")];
    return {
        width, height: 132, legend: { show: false }, padding: [8, 8, 0, 0],
        cursor: { points: { size: 6 }, drag: { x: false, y: false } },
        scales: { y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.15 : 1] } },
        axes: [
            { ...axis, size: 24, space: 64,
                values: "{HH}:{mm}" },
            { ...axis, size: 42, space: 28 },
        ],
        series: [{}, ...props.lines.map((line, at) => ({
            label: line.name, stroke: colours[at], width: 1.5, spanGaps: false,
            dash: line.dashed ? [4, 3] : undefined,
            fill: at === 0 ? colours[0] + "1c" : undefined,
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
    const rows = props.times.map((time, at) => ({ time, at })).slice(-30).reverse();
    return (
        <details class="numbers">
            <summary>As a table</summary>
            <div class="numbers-box" tabIndex={0} role="group" aria-label={`${props.title}, numbers`}>
                <table>
                    <thead><tr><th scope="col">Time</th>{props.lines.map((line) =>
                        <th scope="col" key={line.name}>{line.name}</th>)}</tr></thead>
                    <tbody>{rows.map(({ time, at }) => (
                        <tr key={time}>
                            <td>{new Date(time * 1000).toLocaleTimeString("en-GB")}</td>
                            {props.lines.map((line) =>
                                <td key={line.name} class="num">{format(line.values[at], props)}</td>)}
                        </tr>
                    ))}</tbody>
                </table>
            </div>
        </details>
    );
}

export function Plot(props: Props) {
    const box = useRef<HTMLDivElement>(null);
    const plot = useRef<uPlot | null>(null);
    const shown = theme.value;
    const empty = props.times.length === 0;
    useEffect(() => {
        const element = box.current;
        if (!element || empty) return;
        const data = () => [props.times, ...props.lines.map((line) => line.values)] as uPlot.AlignedData;
        plot.current = new uPlot(options(props, Math.max(160, element.clientWidth)), data(), element);
        const observer = new ResizeObserver(() => plot.current?.setSize(
            { width: Math.max(160, element.clientWidth), height: 132 }));
        observer.observe(element);
        return () => {
            observer.disconnect();
            plot.current?.destroy();
        };
    }, [shown, empty, props.lines.length]);
    useEffect(() => {
        plot.current?.setData([props.times, ...props.lines.map((line) => line.values)] as uPlot.AlignedData);
    }, [props.times]);
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
