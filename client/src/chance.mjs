// The bytes of "liarspoker-fair-1": fields, hashes, streams of chance. Written from docs/reference/fair-deals.md alone.
// The hashes come from a library, since the browser's own are missing where a page came over plain HTTP.

import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";

export { bytesToHex as hex, concatBytes, sha256 };

const HEX = /^(?:[0-9a-f]{2})*$/;

/** Bytes from their hexadecimal form; `null` if it is none, or not in small letters. */
export function unhex(text) {
    if (typeof text !== "string" || !HEX.test(text)) return null;
    return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

/** Whether both are the same bytes. */
export function equalBytes(one, other) {
    return one.length === other.length && one.every((byte, place) => byte === other[place]);
}

/** HMAC-SHA256. */
export function keyed(key, message) {
    return hmac(sha256, key, message);
}

/** Texts, whole numbers, bytes and nulls as bytes, each after its length. */
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
        throw new RangeError("a field should be a whole number, not below 0");
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

/** Chance that follows from a key and a label. */
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

    /** A whole number from 0 to n - 1, where n is 1 to 2 to the power of 48. */
    below(n) {
        if (!Number.isSafeInteger(n) || n < 1 || n > 2 ** 48) throw new RangeError(`no number is drawn below ${n}`);
        let span = 1; // the least power of two that is n or more
        while (span < n) span *= 2;
        for (;;) {
            let drawn = 0;
            for (let room = 1; room < span; room *= 256) drawn = drawn * 256 + this.#byte();
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
