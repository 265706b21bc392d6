// SPDX-License-Identifier: MIT
// Makes what the plugin embeds: node build.mjs OPENAPI_YAML VERSION TARGET_FOLDER
// Run in a folder with the node_modules of package.json.
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";

const [source, version, target] = process.argv.slice(2);
const placeholder = /^  version: .*$/m;
const text = await readFile(source, "utf8");
if (!placeholder.test(text)) throw new Error(`${source} has no info.version`);
const yaml = text.replace(placeholder, `  version: ${version}`);
await writeFile(join(target, "openapi.yaml"), yaml);
await writeFile(join(target, "openapi.json"), JSON.stringify(parse(yaml)));

const swagger = join("node_modules", "swagger-ui-dist");
for (const name of ["swagger-ui-bundle.js", "swagger-ui.css"])
    await copyFile(join(swagger, name), join(target, name));
const licences = ["LICENSE", "NOTICE"].map((name) => readFile(join(swagger, name), "utf8"));
await writeFile(join(target, "licences.txt"),
    "The API reference is shown with swagger-ui.\n\n" + (await Promise.all(licences)).join("\n"));
