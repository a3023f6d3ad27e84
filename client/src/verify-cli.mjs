// Reads audit documents from standard input, one per line, and writes the findings of each as one line to standard output.

import { createInterface } from "node:readline";
import { check } from "./verify.mjs";

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() !== "") process.stdout.write(`${JSON.stringify(check(JSON.parse(line)))}\n`);
}
