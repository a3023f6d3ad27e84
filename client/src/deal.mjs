// Derives the opener, the deal, its leaves and its root from a key. `draw` describes what is drawn, for every game.

import { concatBytes, equalBytes, fields, hex, keyed, sha256, Stream } from "./chance.mjs";

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const PREFIXES = "ABCDEFGHIJKL";
const SUFFIXES = "ABCDEFGHIJKLMNPQRSTUVWXY*";
const ROWS = 15;
const SHUFFLE_BYTES = 32;
const KEYS = ["deal", "slips", "letters", "extras", "deck", "shuffle"];

/** The server's commitment to a seed. */
export function seedCommitment(seed, table, number) {
    return sha256(fields("liarspoker-fair-1/seed", table, number, seed));
}

/** A player's commitment to a nonce. */
export function nonceCommitment(nonce, table, number, seat) {
    return sha256(fields("liarspoker-fair-1/nonce", table, number, seat, nonce));
}

/** The key of a deal. */
export function dealKey(seed, table, number, game, nonces, picks) {
    const shares = nonces.flatMap((nonce, seat) => [nonce, picks[seat]]);
    return keyed(seed, fields("liarspoker-fair-1/deal", table, number, game, nonces.length, ...shares));
}

/** The seat drawn as opener from `lots`. */
export function openerOf(lots, key) {
    return lots[new Stream(key, "opener").below(lots.length)];
}

/** The dealt values under the keys of a record, and `shuffle`. Throws if `draw` isn't valid. */
export function dealtBy(draw, seats, key) {
    const below = bounded(new Stream(key, "deal"));
    const drawers = { nothing: () => ({}), numbers: drawNumbers, slips: drawSlips, hands: drawHands, deck: drawDeck };
    if (!Object.hasOwn(drawers, draw.kind)) throw new RangeError("draw: unknown kind");
    return drawers[draw.kind](draw, seats, below);
}

/** The stream's numbers, limited in count so that an invalid `draw` can't run forever. */
function bounded(stream) {
    let left = 1_000_000;
    return (n) => {
        left -= 1;
        if (left < 0) throw new RangeError("draw: it draws more numbers than any game");
        return stream.below(n);
    };
}

function drawNumbers(draw, seats, below) {
    const dealt = { deal: times(seats, () => number(draw, below)) };
    return draw.letters ? { ...dealt, letters: drawLetters(draw, seats, below) } : dealt;
}

function drawSlips(draw, seats, below) {
    if (draw.letters) throw new RangeError("draw: slips have no letters");
    return { slips: times(seats, () => times(ROWS, () => number(draw, below))) };
}

function number(draw, below) {
    if (!/^[0-9]{1,10}$/.test(draw.digits) || new Set(draw.digits).size !== draw.digits.length) {
        throw new RangeError("draw: digits must be the digits in play, without repetition");
    }
    if (!Number.isSafeInteger(draw.hand_size) || draw.hand_size < 1) throw new RangeError("draw: hand_size must be a positive integer");
    return times(draw.hand_size, () => draw.digits[below(draw.digits.length)]).join("");
}

function drawLetters(draw, seats, below) {
    for (;;) {
        const letters = times(seats, () => PREFIXES[below(PREFIXES.length)] + SUFFIXES[below(SUFFIXES.length)]);
        const [lowest, next] = [...letters].sort();
        if (!draw.redraw || lowest !== next) return letters;
    }
}

function drawHands(draw, seats, below) {
    const sizes = draw.hand_sizes;
    if (
        !Array.isArray(sizes) ||
        sizes.length !== seats ||
        !sizes.every((size) => Number.isSafeInteger(size) && size >= 0)
    ) {
        throw new RangeError("draw: hand_sizes must have one size per seat");
    }
    const deck = shuffledDeck(draw, below);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (total > deck.length) throw new RangeError("draw: hand_sizes exceed the deck");
    const dealt = { deal: sizes.map((size) => deck.splice(0, size)) };
    return draw.extras && deck.length > 0 ? { ...dealt, extras: deck } : dealt;
}

function drawDeck(draw, seats, below) {
    const deck = shuffledDeck(draw, below);
    return { deck, shuffle: hex(Uint8Array.from(times(SHUFFLE_BYTES, () => below(256)))) };
}

function shuffledDeck(draw, below) {
    if (![0, 1, 2].includes(draw.jokers)) throw new RangeError("draw: jokers must be 0 to 2");
    const cards = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));
    return shuffled([...cards, ...times(draw.jokers, () => "Jk")], below);
}

/** Shuffles cards with random numbers from `below`. */
export function shuffled(cards, below) {
    const order = [...cards];
    for (let place = order.length - 1; place > 0; place -= 1) {
        const other = below(place + 1);
        [order[place], order[other]] = [order[other], order[place]];
    }
    return order;
}

/** The order of discards that are shuffled into the stock after `drawn` cards have been drawn from it. */
export function shuffledDiscards(cards, shuffle, drawn) {
    const stream = new Stream(shuffle, `discards/${drawn}`);
    return shuffled(cards, (n) => stream.below(n));
}

function times(count, make) {
    return Array.from({ length: count }, make);
}

/** Every dealt text by its path, in the order of the leaves. */
export function textsOf(dealt) {
    const texts = new Map();
    const walk = (path, held) => {
        if (typeof held === "string") texts.set(path, held);
        else held.forEach((one, place) => walk(`${path}/${place}`, one));
    };
    for (const key of KEYS) if (dealt[key] !== undefined) walk(key, dealt[key]);
    return texts;
}

/** The leaf hash of a text at a path. */
export function leafOf(path, text, salt) {
    return sha256(concatBytes(Uint8Array.of(0), fields(salt, path, text)));
}

/** The Merkle root of a deal. */
export function rootOf(dealt, key) {
    let level = [...textsOf(dealt)].map(([path, text]) => leafOf(path, text, saltOf(path, key)));
    if (level.length === 0) return sha256(new Uint8Array());
    while (level.length > 1) {
        const pairs = times(Math.ceil(level.length / 2), (_, pair) => level.slice(2 * pair, 2 * pair + 2));
        level = pairs.map(([left, right]) => (right === undefined ? left : above(left, right)));
    }
    return level[0];
}

function saltOf(path, key) {
    return keyed(key, fields("liarspoker-fair-1/salt", path));
}

function above(left, right) {
    return sha256(concatBytes(Uint8Array.of(1), left, right));
}

/** Whether a proof, with its salt and hashes as bytes, is valid for a deal with these paths and this root. */
export function proves({ path, text, salt, hashes }, paths, root) {
    let place = paths.indexOf(path);
    if (place < 0) return false;
    let node = leafOf(path, text, salt);
    let used = 0;
    for (let size = paths.length; size > 1; size = Math.ceil(size / 2)) {
        const onTheRight = place % 2 === 1;
        if (onTheRight || place + 1 < size) {
            if (used === hashes.length) return false;
            node = onTheRight ? above(hashes[used], node) : above(node, hashes[used]);
            used += 1;
        }
        place = Math.floor(place / 2);
    }
    return used === hashes.length && equalBytes(node, root);
}
