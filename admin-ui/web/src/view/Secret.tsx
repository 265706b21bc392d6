// SPDX-License-Identifier: MIT
// Something that is shown once.
import { askNext } from "./ActionDialog";
import { Command } from "./Parts";

/** After the dialog that is open. */
export function showSecret(title: string, secret: string): void {
    askNext({
        title,
        verb: "I have stored it",
        consequences: ["It is shown this one time only.", <Command text={secret} what={title.toLowerCase()} />],
        run: async () => undefined,
    });
}
