// This browser's part in fair deals. When the user asks for the next deal, it draws a nonce and sends the commitment with
// the form; when all commitments are fixed, it reveals the nonce; after the deal, it compares the nonce on record.
//
// If session storage is lost, the nonce can't be revealed. The table then continues without it after a few seconds.
// See docs/reference/fair-deals.md.

import { hex, unhex } from "./chance.mjs";
import { nonceCommitment } from "./deal.mjs";
import { _ } from "./words.ts";

const NONCE_BYTES = 32;
const ASKING = new Set(["ready", "start"]);

interface Share { table: string; chair: number; deal: number | undefined; last: number | undefined; nonce: string; place: HTMLElement }

function shareIn(root: HTMLElement): Share | undefined {
    const place = root.querySelector<HTMLElement>("[data-fair]");
    if (!place) return undefined;
    const { fair, chair, deal, last, nonce } = place.dataset;
    const number = (text: string | undefined) => (text ? Number(text) : undefined);
    return { table: fair!, chair: Number(chair), deal: number(deal), last: number(last), nonce: nonce ?? "", place };
}

// The storage key of a deal's nonce.
function key(table: string, deal: number | ""): string {
    return `nonce ${table} ${deal}`;
}

function storedNonce(table: string, deal: number): string {
    try {
        return sessionStorage.getItem(key(table, deal)) ?? "";
    } catch {
        return "";
    }
}

function storeNonce(table: string, deal: number, nonce: string): boolean {
    try {
        sessionStorage.setItem(key(table, deal), nonce);
        return true;
    } catch {
        return false;
    }
}

// Deletes the nonces of a table's deals before this one, since they are on record.
function forget(table: string, before: number): void {
    try {
        const mine = Object.keys(sessionStorage).filter((name) => name.startsWith(key(table, "")));
        for (const name of mine) if (Number(name.slice(key(table, "").length)) < before) sessionStorage.removeItem(name);
    } catch {
        // Without storage there is nothing to delete.
    }
}

class Part {
    private opened: number | undefined;

    constructor(private readonly root: HTMLElement) {
        // In the capture phase, before the form is sent.
        document.addEventListener("submit", (event) => this.commit(event.target as HTMLFormElement), true);
        root.addEventListener("table", () => this.look());
        this.look();
    }

    // Adds a commitment to the form that asks for the next deal.
    private commit(form: HTMLFormElement): void {
        if (!ASKING.has(form.dataset["do"] ?? "") || !this.root.contains(form)) return;
        const share = shareIn(this.root);
        if (share?.deal === undefined) return;
        const nonce = storedNonce(share.table, share.deal) || hex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
        if (!storeNonce(share.table, share.deal, nonce)) return; // a nonce that can't be stored can't be revealed later
        let field = form.querySelector<HTMLInputElement>("[name=nonce_commitment]");
        if (!field) {
            field = document.createElement("input");
            field.type = "hidden";
            field.name = "nonce_commitment";
            form.append(field);
        }
        field.value = hex(nonceCommitment(unhex(nonce), share.table, share.deal, share.chair));
    }

    private look(): void {
        const share = shareIn(this.root);
        if (this.root.querySelector("main.ended")) forget(this.root.dataset["live"]!.split("/")[2]!, Infinity);
        if (!share) return;
        this.open(share);
        this.compare(share);
    }

    private open(share: Share): void {
        const form = share.place.querySelector<HTMLFormElement>("form[data-do=open_nonce]");
        if (!form || share.deal === undefined || this.opened === share.deal) return;
        const nonce = storedNonce(share.table, share.deal);
        if (!nonce) return;
        this.opened = share.deal;
        form.querySelector<HTMLInputElement>("[name=nonce]")!.value = nonce;
        form.requestSubmit();
    }

    // The nonce on record must be the one that was revealed.
    private compare(share: Share): void {
        const sign = share.place.querySelector<HTMLElement>("[data-fair-sign]");
        if (!sign || share.last === undefined) return;
        const mine = storedNonce(share.table, share.last), words = sign.querySelector("span");
        if (!mine || !words) return;
        const same = mine === share.nonce;
        sign.classList.toggle("mine", same);
        sign.classList.toggle("odd", !same);
        forget(share.table, share.last);
        words.textContent = same ? _("Fair deal, with your nonce") : share.nonce ? _("Nonce doesn’t match yours") : _("Your nonce was too late");
    }
}

export function takePart(root: HTMLElement): void {
    new Part(root);
}
