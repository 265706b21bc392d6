// SPDX-License-Identifier: MIT
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { kept, keep, me, signedOutBecause, type Credential } from "../model/credentials";
import { errorOf, send, ApiError } from "../model/http";
import type { Me } from "../model/types";

/** Signs in when the server takes the credential. Answers what is wrong otherwise. */
async function signIn(given: Credential, inTab: boolean): Promise<string> {
    try {
        const response = await send("admin/me", {}, given);
        if (response.status === 401) return "The server does not know this credential.";
        if (response.status === 403)
            return "This account is neither an administrator nor an observer.";
        if (!response.ok) return (await errorOf(response)).message;
        keep(given, inTab);
        me.value = await response.json() as Me;
        signedOutBecause.value = "";
        return "";
    } catch (error) {
        if (error instanceof ApiError) return error.message;
        throw error;
    }
}

export function SignIn() {
    const problem = useSignal("");
    const busy = useSignal(false);
    useEffect(() => {
        const given = kept();
        if (given) void signIn(given, true).then((wrong) => { problem.value = wrong; });
    }, []);
    const submit = async (event: SubmitEvent) => {
        event.preventDefault();
        const form = new FormData(event.target as HTMLFormElement);
        busy.value = true;
        problem.value = await signIn(
            { kind: form.get("kind") as Credential["kind"], secret: String(form.get("secret")).trim() },
            form.get("keep") !== null);
        busy.value = false;
    };
    return (
        <main class="sign-in">
            <form onSubmit={submit}>
                <img src="assets/icon.svg" alt="" width="40" height="40" />
                <h1>OctoStore</h1>
                <p class="faint">Leases, and who holds them.</p>
                {signedOutBecause.value && <p role="status">{signedOutBecause.value}</p>}
                <fieldset>
                    <legend>Sign in with</legend>
                    <label><input type="radio" name="kind" value="key" defaultChecked /> Admin key</label>
                    <label><input type="radio" name="kind" value="token" /> Token</label>
                </fieldset>
                <label for="secret">Credential</label>
                <input id="secret" name="secret" type="password" required autocomplete="off"
                    spellcheck={false} autoFocus />
                <label class="check"><input type="checkbox" name="keep" /> Keep me signed in on this tab</label>
                <p class="problem" role="alert">{problem.value}</p>
                <button type="submit" class="primary" disabled={busy.value}>Sign in</button>
                <p class="hint">It stays in the memory of this page and goes to this server only.</p>
            </form>
        </main>
    );
}
