// Bundles the sources into the folder given as the only argument:
//
//     src/app.ts          app.js, for every page
//     src/verify-page.ts  verify.js, for the page that checks a finished table
//     styles/app.css      app.css, with all that it imports
//
// Types are not looked at here; `tsc` checks them. What a style sheet asks for below /static/ the server has.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const [folder, ...more] = process.argv.slice(2);
if (folder === undefined || more.length > 0) {
    console.error("usage: node build.mjs FOLDER");
    process.exit(2);
}

const here = import.meta.dirname;
const entries = { app: "src/app.ts", verify: "src/verify-page.ts" };
const pages = Object.entries(entries).filter(([, source]) => existsSync(join(here, source)));

const common = {
    absWorkingDir: here,
    bundle: true,
    external: ["/static/*"],
    legalComments: "eof",
    logLevel: "silent", // faults are told below, each in one line
    minify: true,
    outdir: resolve(folder),
};

try {
    await build({ ...common, entryPoints: Object.fromEntries(pages), format: "esm", target: "es2022" });
    await build({ ...common, entryPoints: { app: "styles/app.css" } });
} catch (fault) {
    if (fault.errors === undefined) throw fault;
    for (const { text, location } of fault.errors) {
        console.error(location === null ? text : `client/${location.file}:${location.line}: ${text}`);
    }
    process.exit(1);
}
