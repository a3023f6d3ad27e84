// Bundles the sources into the folder given as the only argument:
//
//     src/app.ts          app.js, for every page
//     src/verify-page.ts  verify.js, for the page that verifies a closed table
//     worker/sw.ts        sw.js, the service worker
//     styles/app.css      app.css, with everything that it imports
//     styles/coach.css    coach.css, for reviews and the trainer
//     styles/fonts.css    the fonts that it names, with the letters of their unicode-range, and fonts-license.txt
//
// Types are checked by `tsc`, not here. URLs below /static/ in style sheets are left alone, since the server resolves them.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import subset from "subset-font";

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
    logLevel: "silent", // errors are printed below, one per line
    minify: true,
    outdir: resolve(folder),
};

const packages = { serif: "stix-two-text", sans: "public-sans" };

async function buildFonts() {
    const rules = readFileSync(join(here, "styles/fonts.css"), "utf8");
    for (const [, file, font, ranges] of rules.matchAll(/url\(\/static\/((\w+).*?\.woff2)\).*?unicode-range:(.+?)[;}]/g)) {
        const source = `node_modules/@fontsource-variable/${packages[font]}/files/${packages[font]}-latin-wght-normal.woff2`;
        const made = await subset(readFileSync(join(here, source)), lettersOf(ranges), {
            targetFormat: "woff2",
            noHinting: true,
            keepFeatures: ["kern", "tnum"],
            variationAxes: { wght: { min: 400, max: 700 } },
        });
        writeFileSync(join(common.outdir, file), made);
    }
    const licenses = Object.values(packages).map((name) => join(here, `node_modules/@fontsource-variable/${name}/LICENSE`));
    writeFileSync(join(common.outdir, "fonts-license.txt"), licenses.map((path) => readFileSync(path, "utf8")).join("\n\n"));
}

// Returns the characters of a unicode-range such as "U+20-7E,U+A1".
function lettersOf(ranges) {
    return ranges.replaceAll("U+", "").split(",").map((range) => {
        const [first, last = first] = range.split("-").map((code) => parseInt(code, 16));
        return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
    }).join("");
}

try {
    await build({ ...common, entryPoints: Object.fromEntries(pages), format: "esm", target: "es2022" });
    await build({ ...common, entryPoints: { sw: "worker/sw.ts" }, format: "iife", target: "es2022" });
    await build({ ...common, entryPoints: { app: "styles/app.css", coach: "styles/coach.css" } });
    await buildFonts();
} catch (fault) {
    if (fault.errors === undefined) throw fault;
    for (const { text, location } of fault.errors) {
        console.error(location === null ? text : `client/${location.file}:${location.line}: ${text}`);
    }
    process.exit(1);
}
