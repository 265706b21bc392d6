// SPDX-License-Identifier: MIT
// Makes what the plugin embeds: node build.mjs FOLDER_WITH_NODE_MODULES TARGET_FOLDER [DEPFILE]
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [packages, target, depfile] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const modules = join(packages, "node_modules");
const { build } = createRequire(join(packages, "package.json"))("esbuild");

const bundled = await build({
    entryPoints: { main: join(here, "src/main.tsx") },
    outdir: target,
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: "esm",
    target: ["es2022", "chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    nodePaths: [modules],
    legalComments: "none",
    logLevel: "warning",
});

/** A dash and eight capital letters or digits: such names may be cached for ever. */
function hashed(stem, extension, content) {
    const digest = createHash("sha256").update(content).digest("hex").toUpperCase();
    return `${stem}-${digest.slice(0, 8)}.${extension}`;
}

await mkdir(target, { recursive: true });
const names = {};
for (const extension of ["js", "css"]) {
    const file = bundled.outputFiles.find((output) => output.path.endsWith(`.${extension}`));
    names[extension] = hashed("main", extension, file.contents);
    await writeFile(join(target, `main.${extension}`), file.contents);
}

const page = await readFile(join(here, "index.html"), "utf8");
await writeFile(join(target, "index.html"),
    page.replace("main.js", names.js).replace("main.css", names.css));
await copyFile(join(here, "icon.svg"), join(target, "icon.svg"));
await writeFile(join(target, "consoleAssets.h"),
    `#pragma once\n\nconstexpr const char* scriptName = "${names.js}";\n` +
    `constexpr const char* styleName = "${names.css}";\n`);

let licences = "The console contains the following.\n";
for (const name of ["preact", "@preact/signals", "@preact/signals-core", "uplot"]) {
    const text = await readFile(join(modules, name, "LICENSE"), "utf8");
    licences += `\n${name}\n\n${text.trim()}\n`;
}
await writeFile(join(target, "licences.txt"), licences);

if (depfile) {
    const sources = Object.keys(bundled.metafile.inputs).map((path) => resolve(path))
        .filter((path) => !path.includes("node_modules"))
        .concat(join(here, "index.html"), join(here, "icon.svg"));
    const escape = (path) => path.replaceAll(" ", "\\ ");
    await writeFile(depfile, `${escape(join(target, "main.js"))}: ${sources.map(escape).join(" ")}\n`);
}
