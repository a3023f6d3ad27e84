// Fields, hashes and random streams of "liarspoker-fair-1", written only from docs/reference/fair-deals.md.
// The hashes come from a library, since browsers don't offer theirs to pages loaded over plain HTTP.

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export { bytesToHex as hex, concatBytes, sha256 };

const HEX = /^(?:[0-9a-f]{2})*$/;

/** Decodes lowercase hexadecimal text to bytes; `null` if it isn't valid. */
export function unhex(text) {
    if (typeof text !== "string" || !HEX.test(text)) return null;
    return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

/** Whether two byte arrays are equal. */
export function equalBytes(one, other) {
    return one.length === other.length && one.every((byte, place) => byte === other[place]);
}

/** HMAC-SHA256. */
export function keyed(key, message) {
    return hmac(sha256, key, message);
}

/** Encodes texts, integers, bytes and nulls as bytes, each prefixed by its length. */
export function fields(...values) {
    return concatBytes(
        ...values.flatMap((value) => {
            const plain = plainBytes(value);
            return [bigEndian(plain.length, 4), plain];
        }),
    );
}

function plainBytes(value) {
    if (value === null) return new Uint8Array();
    if (typeof value === "string") return utf8ToBytes(value);
    if (value instanceof Uint8Array) return value;
    if (!Number.isSafeInteger(value) || value < 0)
        throw new RangeError("a field must be a non-negative integer");
    return bigEndian(value, 8);
}

function bigEndian(number, size) {
    const written = new Uint8Array(size);
    for (let place = size - 1, rest = number; place >= 0; place -= 1) {
        written[place] = rest % 256;
        rest = Math.floor(rest / 256);
    }
    return written;
}

/** A stream of random numbers derived from a key and a label. */
export class Stream {
    #key;
    #label;
    #block = new Uint8Array();
    #used = 0;
    #blocks = 0;

    constructor(key, label) {
        this.#key = key;
        this.#label = label;
    }

    /** Draws an integer from 0 to n - 1, for n from 1 to 2^48. */
    below(n) {
        if (!Number.isSafeInteger(n) || n < 1 || n > 2 ** 48) throw new RangeError(`can't draw a number below ${n}`);
        let span = 1; // the smallest power of 2 that is at least n
        while (span < n) span *= 2;
        for (;;) {
            let drawn = 0;
            for (let range = 1; range < span; range *= 256) drawn = drawn * 256 + this.#byte();
            if (drawn % span < n) return drawn % span;
        }
    }

    #byte() {
        if (this.#used === this.#block.length) {
            this.#block = keyed(this.#key, fields("liarspoker-fair-1/stream", this.#label, this.#blocks));
            this.#blocks += 1;
            this.#used = 0;
        }
        this.#used += 1;
        return this.#block[this.#used - 1];
    }
}
