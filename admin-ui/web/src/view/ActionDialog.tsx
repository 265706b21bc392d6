// SPDX-License-Identifier: MIT
// One dialog for everything that changes something: consequences, reason, then the act.
import { signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ApiError } from "../model/http";
import { refreshNow } from "../model/hooks";
import { complain, note } from "./Announcer";

export interface Field {
    name: string;
    label: string;
    value?: string;
    hint?: string;
    type?: "text" | "area" | "number" | "check" | "select";
    options?: [string, string][];
    required?: boolean;
    /** So many characters. */
    most?: number;
}

export interface Action {
    title: string;
    /** The word on the button. */
    verb: string;
    danger?: boolean;
    consequences?: ComponentChildren[];
    /** What must be typed, for what cannot be undone. */
    typed?: string;
    reason?: boolean;
    fields?: Field[];
    /** What to say when it is done; undefined says nothing. */
    run: (values: Record<string, string>) => Promise<ComponentChildren | undefined>;
}

const current = signal<Action | null>(null);
let following: Action | null = null;

export function ask(action: Action): void {
    current.value = action;
}

/** Asks when the dialog that is open has closed. */
export function askNext(action: Action): void {
    if (current.peek()) following = action;
    else current.value = action;
}

function closed(): void {
    current.value = following;
    following = null;
}

function Input(props: { field: Field }) {
    const { field } = props;
    const id = `field-${field.name}`;
    const hint = field.hint ? { "aria-describedby": `${id}-hint` } : {};
    const shared = { id, name: field.name, required: field.required, maxLength: field.most, ...hint };
    const input = field.type === "area"
        ? <textarea {...shared} rows={4} defaultValue={field.value} />
        : field.type === "select"
            ? <select {...shared} defaultValue={field.value}>
                {field.options!.map(([value, text]) =>
                    <option key={value} value={value} selected={value === field.value}>{text}</option>)}
            </select>
            : field.type === "check"
                ? <input {...shared} type="checkbox" value="yes" defaultChecked={field.value === "yes"} />
                : <input {...shared} type="text" inputMode={field.type === "number" ? "decimal" : "text"}
                    defaultValue={field.value} autocomplete="off" spellcheck={false} />;
    return (
        <p class={field.type === "check" ? "field check" : "field"}>
            {field.type === "check" && input}
            <label for={id}>{field.label}</label>
            {field.type !== "check" && input}
            {field.hint && <span class="hint" id={`${id}-hint`}>{field.hint}</span>}
        </p>
    );
}

function fieldsOf(action: Action): Field[] {
    const all = [...action.fields ?? []];
    if (action.typed)
        all.push({ name: "typed", label: `Type ${action.typed} to confirm`, required: true });
    if (action.reason)
        all.push({ name: "reason", label: "Reason", required: true, most: 256,
            hint: "Goes into the journal with your name." });
    return all;
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
    const values: Record<string, string> = {};
    new FormData(form).forEach((value, name) => { values[name] = String(value).trim(); });
    return values;
}

function mistakeIn(action: Action, values: Record<string, string>): string {
    if (action.typed && values.typed !== action.typed) return `What you typed is not ${action.typed}.`;
    if (action.reason && !values.reason) return "Say why: the journal keeps it.";
    return "";
}

function textOf(error: unknown): string {
    if (error instanceof ApiError && error.status === 409) return `Refused, nothing was changed: ${error.message}`;
    return error instanceof Error ? error.message : String(error);
}

function Body(props: { action: Action; close: () => void }) {
    const { action, close } = props;
    const problem = useSignal("");
    const busy = useSignal(false);
    /** Escape leaves the dialog, and the act goes on. */
    const left = useRef(false);
    useEffect(() => () => { left.current = true; }, []);
    const submit = async (event: SubmitEvent) => {
        event.preventDefault();
        const values = valuesOf(event.target as HTMLFormElement);
        problem.value = mistakeIn(action, values);
        if (problem.value) return;
        busy.value = true;
        try {
            const done = await action.run(values);
            if (done) note("good", done);
            if (!left.current) close();
            // What was ended often takes the button along that had the focus.
            if (action.danger) document.getElementById("main")?.focus();
            ++refreshNow.value;
        } catch (error) {
            if (left.current) return complain(error);
            problem.value = textOf(error);
        } finally {
            busy.value = false;
        }
    };
    return (
        <form onSubmit={submit} noValidate={false}>
            <h2 id="dialog-title">{action.title}</h2>
            {action.consequences && <ul class="consequences" id="dialog-text">
                {action.consequences.map((line, at) => <li key={at}>{line}</li>)}</ul>}
            {fieldsOf(action).map((field) => <Input key={field.name} field={field} />)}
            <p class="problem" role="alert">{problem.value}</p>
            <div class="buttons">
                <button type="button" onClick={close} data-first>Cancel</button>
                <button type="submit" class={action.danger ? "danger" : "primary"}
                    disabled={busy.value}>{busy.value ? "Working…" : action.verb}</button>
            </div>
        </form>
    );
}

export function ActionDialog() {
    const action = current.value;
    const dialog = useRef<HTMLDialogElement>(null);
    useEffect(() => {
        if (!action || !dialog.current) return;
        dialog.current.showModal();
        // What destroys begins with the way out; a form begins with its first field.
        const first = action.fields && !action.danger
            ? dialog.current.querySelector<HTMLElement>("input, textarea, select")
            : dialog.current.querySelector<HTMLElement>("[data-first]");
        first?.focus();
    }, [action]);
    if (!action) return null;
    const close = () => dialog.current?.close();
    return (
        <dialog ref={dialog} aria-labelledby="dialog-title"
            aria-describedby={action.consequences && "dialog-text"} onClose={closed}>
            <Body key={action.title} action={action} close={close} />
        </dialog>
    );
}

export function ActionButton(props: { action: () => Action; danger?: boolean; children: ComponentChildren }) {
    return (
        <button type="button" class={props.danger ? "danger-quiet" : ""}
            onClick={() => ask(props.action())}>{props.children}</button>
    );
}
