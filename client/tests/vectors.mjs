// Checks the verifier against a file of test vectors: prints each failure and the number of passed vectors.

import { readFileSync } from "node:fs";
import { fields, hex, keyed, Stream, unhex } from "../src/chance.mjs";
import * as fair from "../src/deal.mjs";
import { check } from "../src/verify.mjs";

const TABLE = "table-7f3a";

const checks = {
    fields: (v) =>
        hex(fields(...v.values.map((value) => (value?.hex === undefined ? value : unhex(value.hex))))) === v.hex,
    hmac: (v) => hex(keyed(unhex(v.key), unhex(v.data))) === v.hmac,
    commitments: ({ table, deal, seat, nonce, seed, commitment }) =>
        commitment ===
        hex(
            seed === undefined
                ? fair.nonceCommitment(unhex(nonce), table, deal, seat)
                : fair.seedCommitment(unhex(seed), table, deal),
        ),
    streams: (v) => {
        const stream = new Stream(unhex(v.key), v.label);
        return isSame(
            v.below.map((n) => stream.below(n)),
            v.numbers,
        );
    },
    deals: (v) => {
        const key = fair.dealKey(unhex(v.seed), TABLE, v.deal, v.game, v.nonces.map(unhex), v.picks);
        const dealt = fair.dealtBy(v.draw, v.seats, key);
        const leaves = [...fair.textsOf(dealt)].map(([path, text]) => [
            path,
            hex(fair.leafOf(path, text, unhex(v.salts?.[path] ?? ""))),
        ]);
        return (
            hex(key) === v.key &&
            isSame(dealt, v.dealt) &&
            hex(fair.rootOf(dealt, key)) === v.root &&
            (v.draw.lots === null ? undefined : fair.openerOf(v.draw.lots, key)) === v.opener &&
            (v.leaves === undefined || isSame(Object.fromEntries(leaves), v.leaves))
        );
    },
    discards: (v) => isSame(fair.shuffledDiscards(v.discards, unhex(v.shuffle), v.drawn), v.order),
    proofs: ({ draw, seats, root, proof, holds }) => {
        const paths = [...fair.textsOf(fair.dealtBy(draw, seats, unhex(""))).keys()];
        const read = { ...proof, salt: unhex(proof.salt), hashes: proof.hashes.map(unhex) };
        return fair.proves(read, paths, unhex(root)) === holds;
    },
    documents: (v) =>
        isSame(
            [...new Set(check(v.document).map(({ deal }) => deal))].filter((deal) => deal !== null),
            v.faulty,
        ),
};

/** Whether two values have the same JSON; the order of names matters. */
function isSame(one, other) {
    return JSON.stringify(one) === JSON.stringify(other);
}

const vectors = JSON.parse(readFileSync(process.argv[2], "utf8"));
let held = 0;
for (const [name, holds] of Object.entries(checks)) {
    for (const [number, vector] of (vectors[name] ?? []).entries()) {
        if (holds(vector)) held += 1;
        else console.log(`${name} ${number} (${vector.what ?? ""}) does not hold`);
    }
}
console.log(`${held} hold`);
