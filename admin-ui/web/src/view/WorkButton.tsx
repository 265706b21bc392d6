// SPDX-License-Identifier: MIT
// A button for what is done at once, without a dialog.
import { useSignal } from "@preact/signals";
import { refreshNow } from "../model/hooks";
import { complain } from "./Announcer";

export function WorkButton(props: { run: () => Promise<void>; verb: string; primary?: boolean }) {
    const busy = useSignal(false);
    const click = async () => {
        busy.value = true;
        try {
            await props.run();
        } catch (problem) {
            complain(problem);
        } finally {
            busy.value = false;
            ++refreshNow.value;
        }
    };
    return (
        <button type="button" class={props.primary ? "primary" : ""} disabled={busy.value}
            onClick={() => void click()}>{busy.value ? "Working…" : props.verb}</button>
    );
}
