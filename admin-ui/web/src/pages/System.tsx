// SPDX-License-Identifier: MIT
import { bytes, count, duration } from "../model/clock";
import { mayAct, me, replaceSecret } from "../model/credentials";
import { act, apiUrl, download } from "../model/http";
import { useDocument } from "../model/hooks";
import { place } from "../model/route";
import type { Account, ConfigEntry, Page, PluginEntry, Server } from "../model/types";
import { ActionButton, type Action } from "../view/ActionDialog";
import { Filter, Heading } from "../view/Heading";
import { Badge, CopyButton, Facts, Loading, Panel, Problem, type Tone } from "../view/Parts";
import { showSecret } from "../view/Secret";

const reload: Action = {
    title: "Reload the configuration",
    verb: "Reload",
    consequences: [
        "Files are read and checked anew; with any mistake everything stays as it is.",
        "Keys marked restart keep their old value until the server is restarted.",
    ],
    reason: true,
    run: async ({ reason }) => {
        await act("POST", "admin/reload", { reason });
        return "The configuration is reloaded.";
    },
};

const backup: Action = {
    title: "Download a backup",
    verb: "Download",
    consequences: [
        "A consistent copy of the store, taken while it serves. It holds everything the store holds.",
        "Restore it with octostore restore.",
    ],
    reason: true,
    run: async ({ reason }) => {
        const file = await download("admin/backup", { reason });
        const url = URL.createObjectURL(file);
        const anchor = document.createElement("a");
        anchor.href = url;
        anchor.download = `octostore-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}.sqlite`;
        anchor.click();
        setTimeout(() => URL.revokeObjectURL(url), 60000);
        return `A backup of ${bytes(file.size)} is saved.`;
    },
};

const rotate: Action = {
    title: "Rotate the token you are signed in with",
    verb: "Rotate",
    danger: true,
    consequences: [
        "The old token is dead at once, for every program that uses it.",
        "The new one is shown once, and this page goes on with it.",
    ],
    reason: true,
    run: async ({ reason }) => {
        const { token } = await act<{ token: string }>("POST", "auth/token/rotate", { reason });
        replaceSecret(token);
        showSecret("Your new token", token);
        return undefined;
    },
};

const tones: Record<string, Tone> = { started: "good", degraded: "warn", failed: "bad" };

function Servers() {
    const servers = useDocument<Page<Server>>("admin/servers");
    const rows = servers.value.value?.items;
    if (!rows) return servers.error.value ? <Problem error={servers.error.value} what="The server" /> : <Loading />;
    return <>{rows.map((server) => (
        <Facts key={server.id} rows={[
            ["Server", <span class="mono break">{server.id}<CopyButton text={server.id} what="the server's name" /></span>],
            ["Version", server.version],
            ["Backend", server.backend],
            ["Up for", duration(server.uptime_seconds * 1000)],
            ["Last sequence", <span class="num">{count(server.revision)}</span>],
            ["Store", bytes(server.database_bytes)],
        ]} />
    ))}</>;
}

function Plugins() {
    const plugins = useDocument<{ items: PluginEntry[] }>("admin/plugins");
    const rows = plugins.value.value?.items;
    if (!rows) return plugins.error.value ? <Problem error={plugins.error.value} what="Plugins" /> : <Loading />;
    return (
        <div class="scroll" role="group" aria-label="Plugins" tabIndex={0}><table class="dense">
            <thead><tr><th scope="col">Plugin</th><th scope="col" class="roomy">Version</th><th scope="col">State</th>
                <th scope="col">Provides</th></tr></thead>
            <tbody>{rows.map((plugin) => (
                <tr key={plugin.id}>
                    <td class="mono">{plugin.id}</td>
                    <td class="num roomy">{plugin.version}</td>
                    <td><Badge tone={tones[plugin.state] ?? "plain"}>{plugin.state}</Badge>
                        {plugin.error && <div class="bad-text">{plugin.error}</div>}</td>
                    <td class="faint">{plugin.provides.join(", ")}</td>
                </tr>
            ))}</tbody>
        </table></div>
    );
}

function Configuration() {
    const config = useDocument<{ items: ConfigEntry[] }>("admin/config");
    const text = (place.value.params.get("q") ?? "").toLowerCase();
    const all = config.value.value?.items;
    if (!all) return config.error.value ? <Problem error={config.error.value} what="The configuration" /> : <Loading />;
    const rows = all.filter((entry) => `${entry.key} ${entry.value} ${entry.origin}`.toLowerCase().includes(text));
    if (!rows.length) return <p class="faint pad">No key fits this filter.</p>;
    return (
        <div class="scroll" role="group" aria-label="Configuration" tabIndex={0}><table class="dense config">
            <thead><tr><th scope="col">Key</th><th scope="col">Value</th><th scope="col" class="roomy">From</th>
                <th scope="col" class="roomy">Changes at</th></tr></thead>
            <tbody>{rows.map((entry) => (
                <tr key={entry.key} class={entry.layer === "default" ? "default" : ""}>
                    <td class="mono">{entry.key}</td>
                    <td class="mono break">{entry.value}</td>
                    <td class="faint break roomy">{entry.origin || entry.layer}</td>
                    <td class="faint roomy">{entry.reload === "hot" ? "reload" : "restart"}</td>
                </tr>
            ))}</tbody>
        </table></div>
    );
}

function Accounts() {
    const accounts = useDocument<Page<Account>>("admin/accounts?limit=200");
    const rows = accounts.value.value?.items;
    if (!rows) return accounts.error.value ? <Problem error={accounts.error.value} what="Accounts" /> : <Loading />;
    if (!rows.length) return <p class="faint pad">No account.</p>;
    return (
        <div class="scroll" role="group" aria-label="Accounts" tabIndex={0}><table class="dense">
            <thead><tr><th scope="col">Name</th><th scope="col">Role</th>
                <th scope="col" class="roomy">From</th><th scope="col">Namespace</th></tr></thead>
            <tbody>{rows.map((account) => (
                <tr key={account.id}><td class="mono">{account.name}</td><td>{account.role}</td>
                    <td class="faint roomy">{account.identity_class}</td><td class="mono">{account.namespace ?? "–"}</td></tr>
            ))}</tbody>
        </table></div>
    );
}

export function System() {
    return (
        <>
            <Heading title="System">
                <Filter label="Configuration key or value" />
                {mayAct.value && <div class="actions">
                    <ActionButton action={() => reload}>Reload configuration</ActionButton>
                    <ActionButton action={() => backup}>Download backup</ActionButton>
                    {me.value?.auth === "token" &&
                        <ActionButton danger action={() => rotate}>Rotate token</ActionButton>}
                </div>}
            </Heading>
            <div class="columns">
                <Panel title="Server" aside={<a href={apiUrl("docs")}>API reference</a>}><Servers /></Panel>
                <Panel title="Accounts"><Accounts /></Panel>
                <Panel title="Plugins" class="wide"><Plugins /></Panel>
                <Panel title="Effective configuration" class="wide"
                    aside={<a href="assets/licences.txt">Licences</a>}><Configuration /></Panel>
            </div>
        </>
    );
}
