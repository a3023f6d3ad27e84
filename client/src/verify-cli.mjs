// Audit documents on standard input, one a line; what is wrong with each on standard output, one list a line.

import { createInterface } from "node:readline";
import { check } from "./verify.mjs";

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() !== "") process.stdout.write(`${JSON.stringify(check(JSON.parse(line)))}\n`);
}
