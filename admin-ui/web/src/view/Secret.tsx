// SPDX-License-Identifier: MIT
// Something that is shown once.
import { ask } from "./ActionDialog";
import { Command } from "./Parts";

export function showSecret(title: string, secret: string): void {
    // The dialog before this one closes first.
    setTimeout(() => ask({
        title,
        verb: "I have stored it",
        consequences: ["It is shown this one time only.", <Command text={secret} what={title.toLowerCase()} />],
        run: async () => undefined,
    }), 0);
}
