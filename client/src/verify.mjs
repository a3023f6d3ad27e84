// Verifies the audit document of a closed table, independently of `liarspoker verify`. It doesn't know the rules of the
// games: only `liarspoker verify` checks that `draw` follows the rules and that the actions are legal.

import { equalBytes, unhex } from "./chance.mjs";
import { dealKey, dealtBy, nonceCommitment, openerOf, proves, rootOf, seedCommitment, textsOf } from "./deal.mjs";
import { eventCommitment, eventKey, handSeed } from "./event.mjs";

const TABLE = /^[!-~]{1,100}$/;
const HIDDEN = "?";
const ROWS = 15;
const WHOLE = /^(deal|slips|letters)\//; // a record has all of these, possibly hidden; it may omit further cards

/** Returns the findings of an audit document: a list of `{ what, deal }`, where `deal` may be null. */
export function check(document) {
    const wrong = headFault(document);
    if (wrong !== null) return [{ what: `document: ${wrong}`, deal: null }];
    const event = readEvent(document);
    const findings = event.faults.map((what) => ({ what, deal: null }));
    document.deals.forEach((deal, number) => {
        findings.push(
            ...[...dealFaults(document, deal, number), ...handFaults(event, deal, number)].map((what) => ({ what: `deal ${number}: ${what}`, deal: number })),
        );
    });
    return [...findings, ...roundFaults(document)];
}

function headFault(document) {
    if (!isObject(document)) return "it must be an object";
    if (document.fair !== 1) return "fair must be 1";
    if (typeof document.table !== "string" || !TABLE.test(document.table)) return "table isn't a table id";
    if (document.audit !== "full" && document.audit !== "leaves") return 'audit must be "full" or "leaves"';
    if (!Array.isArray(document.records) || !document.records.every(isRecord)) return "records must be a list of records";
    return Array.isArray(document.deals) ? null : "deals must be a list";
}

/** The event of the table, if any: its key, and what is wrong with its own commitment. */
function readEvent(document) {
    const event = document["x-event"];
    if (event === undefined) return { faults: [] };
    const isShare = (share) => share === "" || isHash(share);
    const isPlayer = (player) => isObject(player) && typeof player.user === "string" && isShare(player.share);
    const numbers = isObject(event) && [event.seats, event.hands].every((one) => Number.isSafeInteger(one) && one > 0);
    if (!numbers || !isHash(event.commitment) || !isHash(event.seed) || typeof event.game !== "string")
        return { faults: ["x-event: something is missing"] };
    if (!Array.isArray(event.players) || !event.players.every(isPlayer)) return { faults: ["x-event: players"] };
    const seed = unhex(event.seed);
    const kept = equalBytes(eventCommitment(seed, document.table), unhex(event.commitment));
    const players = event.players.map(({ user, share }) => [user, unhex(share)]);
    return {
        ...event,
        key: eventKey(seed, document.table, event.game, event.seats, event.hands, players),
        faults: kept ? [] : ["event: the seed doesn't match the server's commitment"],
    };
}

/** Differences between a deal and the hand of its event. */
function handFaults(event, deal, number) {
    if (event.key === undefined || !isObject(deal) || !Array.isArray(deal.nonces)) return [];
    if (!isHash(deal.seed)) return ["event: the deal has no seed to compare with the event's hand"];
    const faults = [];
    if (deal.game !== event.game || deal.seats !== event.seats) faults.push("event: another game or number of seats");
    if (number >= event.hands) faults.push("event: it has fewer hands");
    if (!equalBytes(handSeed(event.key, number), unhex(deal.seed))) faults.push("event: the seed isn't that of the hand");
    if (deal.nonces.some((nonce) => nonce !== "")) faults.push("event: players contribute to the event, not to a deal");
    return faults;
}

function isRecord(record) {
    return (
        isObject(record) &&
        Array.isArray(record.players) &&
        Array.isArray(record.rounds) &&
        record.rounds.every(isObject)
    );
}

function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Findings of one deal, including differences from the recorded round that was played with it. */
function dealFaults(document, deal, number) {
    try {
        const faults = formFaults(deal, number);
        if (faults.length > 0) return faults;
        faults.push(...nonceFaults(document.table, deal));
        const { lots } = deal.draw;
        if (lots === null ? deal.opener !== undefined : !lots.includes(deal.opener))
            faults.push("opener: not one of the lots");
        faults.push(...(document.audit === "full" ? seedFaults(document.table, deal) : proofFaults(deal)));
        return faults.length === 0 && deal.record !== null ? shownFaults(document, deal) : faults;
    } catch (error) {
        if (error instanceof RangeError || error instanceof TypeError) return [error.message];
        throw error;
    }
}

function formFaults(deal, number) {
    if (!isObject(deal) || deal.deal !== number) return [`deal must be ${number}: all deals must be listed in order`];
    const seats = deal.seats;
    if (!Number.isSafeInteger(seats) || seats < 2 || seats > 16) return ["seats must be 2 to 16"];
    if (typeof deal.game !== "string" || !isObject(deal.draw)) return ["game or draw is missing"];
    const faults = [];
    for (const name of ["chairs", "nonce_commitments", "nonces", "picks"]) {
        if (!Array.isArray(deal[name]) || deal[name].length !== seats)
            faults.push(`${name} must have one entry per seat`);
    }
    for (const name of ["commitment", "root"]) if (!isHash(deal[name])) faults.push(`${name} isn't a hash`);
    if (faults.length > 0) return faults;
    if (!deal.nonce_commitments.every((promise) => promise === null || isHash(promise)))
        faults.push("nonce_commitments must be hashes");
    if (!deal.nonces.every((nonce) => (unhex(nonce)?.length ?? 65) <= 64))
        faults.push("nonces must have 0 to 64 bytes");
    if (!deal.picks.every((pick) => pick === null || (Number.isSafeInteger(pick) && pick >= 0)))
        faults.push("picks must be non-negative integers");
    const taken = deal.chairs.filter((chair) => chair !== null);
    if (!taken.every((chair) => Number.isSafeInteger(chair) && chair >= 0) || new Set(taken).size < taken.length)
        faults.push("chairs must be distinct non-negative integers");
    if (!Array.isArray(deal.withheld) || !isAscending(deal.withheld, seats)) faults.push("withheld must be ascending seats");
    const { lots } = deal.draw;
    if (lots !== null && !(Array.isArray(lots) && lots.length > 0 && isAscending(lots, seats)))
        faults.push("lots must be ascending seats");
    return faults;
}

function isHash(text) {
    return unhex(text)?.length === 32;
}

function isPlainText(text) {
    return typeof text === "string" && /^[ -~]*$/.test(text);
}

function isAscending(seats, end) {
    return seats.every(
        (seat, i) => Number.isSafeInteger(seat) && seat >= 0 && seat < end && (i === 0 || seats[i - 1] < seat),
    );
}

function nonceFaults(table, deal) {
    const faults = [];
    for (const [seat, promise] of deal.nonce_commitments.entries()) {
        const nonce = unhex(deal.nonces[seat]);
        const withheld = deal.withheld.includes(seat);
        if (withheld && promise === null) faults.push(`withheld: seat ${seat} didn't commit to a nonce`);
        if (promise === null || withheld) {
            if (nonce.length > 0) faults.push(`nonce of seat ${seat}: must be empty`);
        } else if (nonce.length === 0 || !opensNonce(promise, nonce, table, deal, deal.chairs[seat])) {
            faults.push(`nonce of seat ${seat}: doesn't match its commitment`);
        }
    }
    return faults;
}

function opensNonce(promise, nonce, table, deal, chair) {
    return chair !== null && equalBytes(nonceCommitment(nonce, table, deal.deal, chair), unhex(promise));
}

function seedFaults(table, deal) {
    if (!isHash(deal.seed)) return ["seed must have 32 bytes"];
    if (!isObject(deal.dealt)) return ["dealt is missing"];
    const faults = [];
    const seed = unhex(deal.seed);
    if (!equalBytes(seedCommitment(seed, table, deal.deal), unhex(deal.commitment)))
        faults.push("seed: doesn't match its commitment");
    const key = dealKey(seed, table, deal.deal, deal.game, deal.nonces.map(unhex), deal.picks);
    const dealt = dealtBy(deal.draw, deal.seats, key);
    if (!isSame(dealt, deal.dealt))
        faults.push("dealt: doesn't follow from the seed, the nonces and the picks");
    if (!equalBytes(rootOf(dealt, key), unhex(deal.root))) faults.push("root: doesn't match the deal");
    if (deal.draw.lots !== null && deal.opener !== openerOf(deal.draw.lots, key))
        faults.push("opener: a different seat was drawn");
    return faults;
}

function isSame(one, other) {
    if (!Array.isArray(one)) {
        if (!isObject(one)) return one === other;
        const names = Object.keys(one);
        return (
            isObject(other) &&
            names.length === Object.keys(other).length &&
            names.every((name) => isSame(one[name], other[name]))
        );
    }
    return (
        Array.isArray(other) && one.length === other.length && one.every((held, place) => isSame(held, other[place]))
    );
}

function proofFaults(deal) {
    if (!Array.isArray(deal.proofs)) return ["proofs are missing"];
    const paths = pathsOf(deal);
    const proved = new Set();
    const faults = [];
    for (const proof of deal.proofs) {
        const { path, text } = proof;
        const salt = unhex(proof.salt);
        const hashes = Array.isArray(proof.hashes) ? proof.hashes.map(unhex) : [null];
        const readable = [path, text].every(isPlainText) && [salt, ...hashes].every((one) => one?.length === 32);
        if (proved.has(path)) faults.push(`proofs: ${path} is listed twice`);
        if (!readable || !proves({ path, text, salt, hashes }, paths, unhex(deal.root)))
            faults.push(`proofs: the proof of ${path} isn't valid`);
        proved.add(path);
    }
    return faults;
}

/** Every path of a deal, which doesn't depend on the key. */
function pathsOf(deal) {
    return [...textsOf(dealtBy(deal.draw, deal.seats, new Uint8Array())).keys()];
}

/** Differences between a deal and its recorded round. */
function shownFaults(document, deal) {
    const place = deal.record;
    if (!Array.isArray(place) || place.length !== 2) return ["record must be a record and a round"];
    const record = document.records[place[0]];
    const round = record?.rounds[place[1]];
    if (round === undefined) return ["record: no such round"];
    if (record.game !== deal.game || record.players.length !== deal.seats)
        return ["record: its game or number of players is different"];
    if (deal.draw.lots !== null && round.opener !== deal.opener)
        return ["record: the opener isn't the seat drawn"];
    const shown = textsOf(shownBy(document, deal, record, round));
    const known =
        document.audit === "full" ? textsOf(deal.dealt) : new Map(deal.proofs.map(({ path, text }) => [path, text]));
    const paths = new Set(pathsOf(deal));
    const faults = [...paths]
        .filter((path) => WHOLE.test(path) && !shown.has(path))
        .map((path) => `${path}: dealt, but missing in the record`);
    for (const [path, text] of shown) {
        if (!paths.has(path) && path.startsWith("deck/")) continue; // discards shuffled into the stock are checked by the rules
        const whole = known.get(path);
        const unproved = whole === undefined && document.audit === "leaves";
        if (unproved ? !text.includes(HIDDEN) : !agrees(text, whole)) faults.push(`${path}: the record shows ${text}`);
    }
    return faults;
}

/** What a recorded round shows, under the keys of a deal; a slip belongs to its first round. */
function shownBy(document, deal, record, round) {
    const { kind, letters } = deal.draw;
    if (kind === "nothing") return {};
    if (kind === "deck") return round.deck === undefined ? {} : { deck: round.deck };
    if (kind === "hands") return { deal: round.deal, extras: round.extras };
    if (kind === "numbers") return { deal: round.deal, letters: letters ? record.letters : undefined };
    const earlier = slipDeals(document, deal.record[0]).filter((other) => other.record[1] < deal.record[1]);
    const start = ROWS * earlier.length;
    return { slips: record.slips.map((rows) => rows.slice(start, start + ROWS)) };
}

/** The deals of a record's slips. */
function slipDeals(document, record) {
    return document.deals.filter((deal) => deal?.record?.[0] === record && deal.draw?.kind === "slips");
}

function agrees(text, whole) {
    return text.length === whole?.length && [...text].every((sign, place) => sign === HIDDEN || sign === whole[place]);
}

/** Findings about rounds dealt twice, out of order or never, and about slips without a deal. */
function roundFaults(document) {
    const findings = [];
    const dealt = new Set();
    let last = [-1, -1];
    for (const deal of document.deals) {
        if (!isObject(deal) || !Array.isArray(deal.record)) continue;
        const [record, round] = deal.record;
        if (record < last[0] || (record === last[0] && round <= last[1])) {
            findings.push({ what: `deal ${deal.deal}: record: this round already has a deal`, deal: deal.deal });
        }
        last = deal.record;
        dealt.add(`${record} ${round}`);
    }
    document.records.forEach((record, number) => {
        record.rounds.forEach((_, round) => {
            if (!dealt.has(`${number} ${round}`))
                findings.push({ what: `record ${number + 1}, round ${round + 1}: no deal`, deal: null });
        });
        const rows = Array.isArray(record.slips) ? record.slips.map((slip) => slip?.length) : [];
        if (rows.some((count) => count > ROWS * slipDeals(document, number).length))
            findings.push({ what: `record ${number + 1}: has slips without a deal`, deal: null });
    });
    return findings;
}
