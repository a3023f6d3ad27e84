// Checks the audit document of a finished table, as `liarspoker verify` does, and shares no code with it. It knows no
// game: whether the rules draw what `draw` tells, and whether the actions are legal, only the other one can say.

import { equalBytes, unhex } from "./chance.mjs";
import { dealKey, dealtBy, nonceCommitment, openerOf, proves, rootOf, seedCommitment, textsOf } from "./deal.mjs";

const TABLE = /^[!-~]{1,100}$/;
const HIDDEN = "?";
const ROWS = 15;
const WHOLE = /^(deal|slips|letters)\//; // a record has all of these, hidden or not; further cards may be left out

/** What is wrong with an audit document: a list of `{ what, deal }`, where `deal` may be null. */
export function check(document) {
    const wrong = headFault(document);
    if (wrong !== null) return [{ what: `document: ${wrong}`, deal: null }];
    const findings = [];
    document.deals.forEach((deal, number) => {
        findings.push(
            ...dealFaults(document, deal, number).map((what) => ({ what: `deal ${number}: ${what}`, deal: number })),
        );
    });
    return [...findings, ...roundFaults(document)];
}

function headFault(document) {
    if (!isObject(document)) return "it should be an object";
    if (document.fair !== 1) return "fair should be 1";
    if (typeof document.table !== "string" || !TABLE.test(document.table)) return "table is no table's id";
    if (document.audit !== "full" && document.audit !== "leaves") return 'audit should be "full" or "leaves"';
    if (!Array.isArray(document.records) || !document.records.every(isRecord)) return "records should be records";
    return Array.isArray(document.deals) ? null : "deals should be a list";
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

/** What is wrong with one deal: in itself, and against the round of a record that was played with it. */
function dealFaults(document, deal, number) {
    try {
        const faults = formFaults(deal, number);
        if (faults.length > 0) return faults;
        faults.push(...nonceFaults(document.table, deal));
        const { lots } = deal.draw;
        if (lots === null ? deal.opener !== undefined : !lots.includes(deal.opener))
            faults.push("opener: it is none of the lots");
        faults.push(...(document.audit === "full" ? seedFaults(document.table, deal) : proofFaults(deal)));
        return faults.length === 0 && deal.record !== null ? shownFaults(document, deal) : faults;
    } catch (error) {
        if (error instanceof RangeError || error instanceof TypeError) return [error.message];
        throw error;
    }
}

function formFaults(deal, number) {
    if (!isObject(deal) || deal.deal !== number) return [`deal should be ${number}: every deal is told, and in order`];
    const seats = deal.seats;
    if (!Number.isSafeInteger(seats) || seats < 2 || seats > 16) return ["seats should be 2 to 16"];
    if (typeof deal.game !== "string" || !isObject(deal.draw)) return ["game or draw is missing"];
    const faults = [];
    for (const name of ["chairs", "nonce_commitments", "nonces", "picks"]) {
        if (!Array.isArray(deal[name]) || deal[name].length !== seats)
            faults.push(`${name} should be one for each seat`);
    }
    for (const name of ["commitment", "root"]) if (!isHash(deal[name])) faults.push(`${name} is no hash`);
    if (faults.length > 0) return faults;
    if (!deal.nonce_commitments.every((promise) => promise === null || isHash(promise)))
        faults.push("nonce_commitments are no hashes");
    if (!deal.nonces.every((nonce) => (unhex(nonce)?.length ?? 65) <= 64))
        faults.push("nonces should have 0 to 64 bytes");
    if (!deal.picks.every((pick) => pick === null || (Number.isSafeInteger(pick) && pick >= 0)))
        faults.push("picks are none");
    const taken = deal.chairs.filter((chair) => chair !== null);
    if (!taken.every((chair) => Number.isSafeInteger(chair) && chair >= 0) || new Set(taken).size < taken.length)
        faults.push("chairs should be numbers from 0, no two the same");
    if (!Array.isArray(deal.withheld) || !isAscending(deal.withheld, seats)) faults.push("withheld should be seats");
    const { lots } = deal.draw;
    if (lots !== null && !(Array.isArray(lots) && lots.length > 0 && isAscending(lots, seats)))
        faults.push("lots should be seats");
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
        if (withheld && promise === null) faults.push(`withheld: seat ${seat} had promised no nonce`);
        if (promise === null || withheld) {
            if (nonce.length > 0) faults.push(`nonce of seat ${seat}: it should be empty`);
        } else if (nonce.length === 0 || !opensNonce(promise, nonce, table, deal, deal.chairs[seat])) {
            faults.push(`nonce of seat ${seat}: it is not what was promised`);
        }
    }
    return faults;
}

function opensNonce(promise, nonce, table, deal, chair) {
    return chair !== null && equalBytes(nonceCommitment(nonce, table, deal.deal, chair), unhex(promise));
}

function seedFaults(table, deal) {
    if (!isHash(deal.seed)) return ["seed should have 32 bytes"];
    if (!isObject(deal.dealt)) return ["dealt is missing"];
    const faults = [];
    const seed = unhex(deal.seed);
    if (!equalBytes(seedCommitment(seed, table, deal.deal), unhex(deal.commitment)))
        faults.push("seed: it is not what was promised");
    const key = dealKey(seed, table, deal.deal, deal.game, deal.nonces.map(unhex), deal.picks);
    const dealt = dealtBy(deal.draw, deal.seats, key);
    if (!isSame(dealt, deal.dealt))
        faults.push("dealt: it is not what follows from the seed, the nonces and the picks");
    if (!equalBytes(rootOf(dealt, key), unhex(deal.root))) faults.push("root: it is not that of the deal");
    if (deal.draw.lots !== null && deal.opener !== openerOf(deal.draw.lots, key))
        faults.push("opener: the lots fall on another seat");
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
        if (proved.has(path)) faults.push(`proofs: ${path} stands there twice`);
        if (!readable || !proves({ path, text, salt, hashes }, paths, unhex(deal.root)))
            faults.push(`proofs: ${path} does not hold`);
        proved.add(path);
    }
    return faults;
}

/** Every path of a deal; they are the same for every key. */
function pathsOf(deal) {
    return [...textsOf(dealtBy(deal.draw, deal.seats, new Uint8Array())).keys()];
}

/** What the round of the record shows otherwise than it was dealt. */
function shownFaults(document, deal) {
    const place = deal.record;
    if (!Array.isArray(place) || place.length !== 2) return ["record should be a record and a round"];
    const record = document.records[place[0]];
    const round = record?.rounds[place[1]];
    if (round === undefined) return ["record: there is no such round"];
    if (record.game !== deal.game || record.players.length !== deal.seats)
        return ["record: its game or its players are others"];
    if (deal.draw.lots !== null && round.opener !== deal.opener)
        return ["record: another seat opens than the lots fell on"];
    const shown = textsOf(shownBy(document, deal, record, round));
    const known =
        document.audit === "full" ? textsOf(deal.dealt) : new Map(deal.proofs.map(({ path, text }) => [path, text]));
    const paths = new Set(pathsOf(deal));
    const faults = [...paths]
        .filter((path) => WHOLE.test(path) && !shown.has(path))
        .map((path) => `${path}: it was dealt, and the record does not show it`);
    for (const [path, text] of shown) {
        if (!paths.has(path) && path.startsWith("deck/")) continue; // discards shuffled in: a matter of the rules
        const whole = known.get(path);
        const unproved = whole === undefined && document.audit === "leaves";
        if (unproved ? !text.includes(HIDDEN) : !agrees(text, whole)) faults.push(`${path}: the record shows ${text}`);
    }
    return faults;
}

/** What a round shows, under the keys of a deal; a slip is shown by the round that it begins with. */
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

/** The deals that gave a record its slips. */
function slipDeals(document, record) {
    return document.deals.filter((deal) => deal?.record?.[0] === record && deal.draw?.kind === "slips");
}

function agrees(text, whole) {
    return text.length === whole?.length && [...text].every((sign, place) => sign === HIDDEN || sign === whole[place]);
}

/** Rounds that were dealt twice, out of order, or never, and slips that no deal has dealt. */
function roundFaults(document) {
    const findings = [];
    const dealt = new Set();
    let last = [-1, -1];
    for (const deal of document.deals) {
        if (!isObject(deal) || !Array.isArray(deal.record)) continue;
        const [record, round] = deal.record;
        if (record < last[0] || (record === last[0] && round <= last[1])) {
            findings.push({ what: `deal ${deal.deal}: record: this round was dealt before`, deal: deal.deal });
        }
        last = deal.record;
        dealt.add(`${record} ${round}`);
    }
    document.records.forEach((record, number) => {
        record.rounds.forEach((_, round) => {
            if (!dealt.has(`${number} ${round}`))
                findings.push({ what: `record ${number + 1}, round ${round + 1}: it has no deal`, deal: null });
        });
        const rows = Array.isArray(record.slips) ? record.slips.map((slip) => slip?.length) : [];
        if (rows.some((count) => count > ROWS * slipDeals(document, number).length))
            findings.push({ what: `record ${number + 1}: it has slips that no deal has dealt`, deal: null });
    });
    return findings;
}
