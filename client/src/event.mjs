// The seeds of a duplicate event: every table of the event derives the same seed of each hand.

import { fields, keyed, sha256 } from "./chance.mjs";

/** The server's commitment to the seed of an event. */
export function eventCommitment(seed, event) {
    return sha256(fields("liarspoker-event-1/seed", event, seed));
}

/** The key of an event; `players` are pairs of a user id and a share, in the order in which they joined. */
export function eventKey(seed, event, game, seats, hands, players) {
    const given = [event, game, seats, hands, players.length, ...players.flat()];
    return keyed(seed, fields("liarspoker-event-1/key", ...given));
}

/** The seed of a hand, numbered from 0. */
export function handSeed(key, number) {
    return keyed(key, fields("liarspoker-event-1/hand", number));
}
