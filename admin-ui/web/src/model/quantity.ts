// SPDX-License-Identifier: MIT
// Spans of time as people type them.

/** What was typed is wrong; the message says how it is right. */
export class Mistake extends Error {}

const secondsIn: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86400 };

/** As secondsOf() reads it. */
export function spanText(seconds: number): string {
    const unit = ["d", "h", "m"].find((name) => seconds && seconds % secondsIn[name] === 0) ?? "s";
    return `${seconds / secondsIn[unit]} ${unit}`;
}

/** Whole seconds: "24", "0,5", "90 m", "3d"; hours when no unit is named. Throws Mistake. */
export function secondsOf(text: string, least: number, most: number): number {
    const [, number, unit] = /^(\d+(?:[.,]\d+)?)\s*([smhd]?)$/i.exec(text.trim()) ?? [];
    if (number === undefined)
        throw new Mistake(`“${text}” is no time. Write 24, 0.5, 90 m or 3 d; without a unit it is hours.`);
    const seconds = Math.round(Number(number.replace(",", ".")) * secondsIn[unit.toLowerCase() || "h"]);
    if (seconds < least || seconds > most)
        throw new Mistake(`From ${spanText(least)} to ${spanText(most)}; this is ${spanText(seconds)}.`);
    return seconds;
}
