// SPDX-License-Identifier: MIT
// What can be done with a webhook.
import { act, segment } from "../model/http";
import { secondsOf, spanText } from "../model/quantity";
import { go, link } from "../model/route";
import type { Webhook } from "../model/types";
import type { Action, Field } from "../view/ActionDialog";
import { note } from "../view/Announcer";
import { showSecret } from "../view/Secret";

const day = 86400;

function lines(text: string): string[] {
    return text.split(/[\n,]/).map((line) => line.trim()).filter(Boolean);
}

function fields(webhook?: Webhook): Field[] {
    return [
        { name: "url", label: "URL", value: webhook?.url, required: true },
        { name: "description", label: "Description", value: webhook?.description },
        { name: "events", label: "Events, one to a line", type: "area", required: true,
            value: webhook ? webhook.events.join("\n") : "election.*\nlock.*",
            hint: "Types of the journal; * stands for a part." },
        { name: "lock_pattern", label: "Lock pattern", value: webhook?.lock_pattern ?? "",
            hint: "* within a part, ** across parts. Empty: no filter." },
        { name: "elections", label: "Rooms, one to a line", type: "area",
            value: webhook?.elections.join("\n"),
            hint: "Elections are told of by the rooms named here only: empty, none is." },
        { name: "ordered", label: "In order: a failing delivery holds up those behind it", type: "check",
            value: webhook?.ordered ? "yes" : "" },
        { name: "format", label: "Format", type: "select", value: webhook?.format ?? "octostore",
            options: [["octostore", "octostore: Standard Webhooks"], ["cloudevents", "cloudevents"],
                ["legacy", "legacy: one delivery for each fact"]] },
        { name: "max_age", label: "Drop what is older than",
            value: webhook?.max_age_seconds ? spanText(webhook.max_age_seconds) : "",
            hint: "For example 90 m, 24 h or 3 d. Empty: the limit of the server." },
    ];
}

function bodyOf(values: Record<string, string>) {
    return {
        url: values.url,
        description: values.description ?? "",
        events: lines(values.events),
        lock_pattern: values.lock_pattern || null,
        elections: lines(values.elections ?? ""),
        ordered: values.ordered === "yes",
        format: values.format,
        max_age_seconds: values.max_age ? secondsOf(values.max_age, 1, 30 * day) : null,
        reason: values.reason,
    };
}

export const createWebhook: Action = {
    title: "New webhook",
    verb: "Create",
    fields: fields(),
    reason: true,
    run: async (values) => {
        const made = await act<Webhook>("POST", "webhooks", bodyOf(values));
        go(link("webhooks", made.id));
        if (made.secret && made.secret !== "****") showSecret("The secret of this webhook", made.secret);
        return "The webhook is made. Ping it to see whether it answers.";
    },
};

export const editWebhook = (webhook: Webhook): Action => ({
    title: "Settings of the webhook",
    verb: "Save",
    fields: fields(webhook),
    reason: true,
    run: async (values) => {
        await act("PATCH", `webhooks/${webhook.id}`, bodyOf(values));
        return "The settings are saved.";
    },
});

export const setActive = (webhook: Webhook): Action => ({
    title: webhook.active ? "Pause this webhook" : "Resume this webhook",
    verb: webhook.active ? "Pause" : "Resume",
    consequences: [webhook.active
        ? "Nothing is sent until it is resumed. What happens in the meantime is kept as long as events are."
        : "What waited is sent now, as far as it is not too old."],
    reason: true,
    run: async ({ reason }) => {
        await act("PATCH", `webhooks/${webhook.id}`, { active: !webhook.active, reason });
        return webhook.active ? "The webhook is paused." : "The webhook is active.";
    },
});

export const removeWebhook = (webhook: Webhook): Action => ({
    title: "Delete this webhook",
    verb: "Delete",
    danger: true,
    consequences: ["Nothing is sent to it any more, and what waits for it is dropped.",
        "Its log and secret are gone for good."],
    reason: true,
    run: async ({ reason }) => {
        await act("DELETE", `webhooks/${webhook.id}`, { reason });
        go(link("webhooks"));
        return "The webhook is deleted.";
    },
});

export const rotateSecret = (webhook: Webhook): Action => ({
    title: "Rotate the secret",
    verb: "Rotate",
    consequences: ["Deliveries are signed with the new and the old secret until the grace is over.",
        "The new one is shown once."],
    fields: [
        { name: "grace", label: "Hours that the old one stays good", type: "number", value: "24",
            required: true, hint: "0 to 7 d; also 30 m or 2 d." },
        { name: "force", label: "Even while an older one is still good", type: "check" },
    ],
    reason: true,
    run: async ({ grace, force, reason }) => {
        const answer = await act<{ secret: string }>("POST", `webhooks/${webhook.id}/rotate-secret`,
            { grace_seconds: secondsOf(grace, 0, 7 * day), force: force === "yes", reason });
        showSecret("The new secret", answer.secret);
        return undefined;
    },
});

export const recover = (webhook: Webhook): Action => ({
    title: "Send again what failed",
    verb: "Recover",
    consequences: ["Every delivery that was given up or waits since then is sent at once, with the same webhook-id: " +
        "receivers drop what they have."],
    fields: [{ name: "hours", label: "Hours back", type: "number", value: "24", required: true,
        hint: "Also 30 m or 7 d." }],
    run: async ({ hours }) => {
        const since = new Date(Date.now() - 1000 * secondsOf(hours, 1, 365 * day)).toISOString();
        const answer = await act<{ redelivered: number }>("POST", `webhooks/${webhook.id}/recover`, { since });
        return `${answer.redelivered} deliveries are sent again.`;
    },
});

interface Pong { delivered: boolean; status: number | null; reason: string | null; detail: string; took_ms: number }

export async function ping(webhook: Webhook): Promise<void> {
    const answer = await act<Pong>("POST", `webhooks/${webhook.id}/ping`);
    if (answer.delivered) note("good", `It answered ${answer.status} after ${answer.took_ms} ms.`);
    else note("bad", `It did not take the ping: ${answer.status || answer.reason}. ${answer.detail}`);
}

export async function redeliver(webhook: string, delivery: string): Promise<void> {
    await act("POST", `webhooks/${webhook}/deliveries/${segment(delivery)}/redeliver`);
    note("good", "It is sent again.");
    // The page is read again after this: with some luck the answer is there by then.
    await new Promise((done) => setTimeout(done, 300));
}
