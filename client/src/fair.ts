// This browser's part in the deals. When somebody asks for the next deal, a nonce is drawn and its commitment goes with
// the form; when promises are closed, the nonce is opened; and once the deal is made, it is looked up on record.
//
// Where storage is lost the nonce cannot be opened. The table goes on without it after a few seconds, so nothing here
// ever holds up play. See docs/reference/fair-deals.md.

import { hex, unhex } from "./chance.mjs";
import { nonceCommitment } from "./deal.mjs";

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

// Where the nonce of a deal is kept.
function key(table: string, deal: number | ""): string {
    return `nonce ${table} ${deal}`;
}

function kept(table: string, deal: number): string {
    try {
        return sessionStorage.getItem(key(table, deal)) ?? "";
    } catch {
        return "";
    }
}

function keep(table: string, deal: number, nonce: string): boolean {
    try {
        sessionStorage.setItem(key(table, deal), nonce);
        return true;
    } catch {
        return false;
    }
}

// Forgets the nonces of a table's deals before this one, which stand on record.
function forget(table: string, before: number): void {
    try {
        const mine = Object.keys(sessionStorage).filter((name) => name.startsWith(key(table, "")));
        for (const name of mine) if (Number(name.slice(key(table, "").length)) < before) sessionStorage.removeItem(name);
    } catch {
        // Where nothing can be kept there is nothing to forget.
    }
}

class Part {
    private opened: number | undefined;

    constructor(private readonly root: HTMLElement) {
        // Before anybody else sees the form go up.
        document.addEventListener("submit", (event) => this.promise(event.target as HTMLFormElement), true);
        root.addEventListener("table", () => this.look());
        this.look();
    }

    // A promise goes along with the wish for the next deal.
    private promise(form: HTMLFormElement): void {
        if (!ASKING.has(form.dataset["do"] ?? "") || !this.root.contains(form)) return;
        const share = shareIn(this.root);
        if (share?.deal === undefined) return;
        const nonce = kept(share.table, share.deal) || hex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
        if (!keep(share.table, share.deal, nonce)) return; // what cannot be kept is better not promised
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
        const nonce = kept(share.table, share.deal);
        if (!nonce) return;
        this.opened = share.deal;
        form.querySelector<HTMLInputElement>("[name=nonce]")!.value = nonce;
        form.requestSubmit();
    }

    // What stands on record must be what was opened.
    private compare(share: Share): void {
        const sign = share.place.querySelector<HTMLElement>("[data-fair-sign]");
        if (!sign || share.last === undefined) return;
        const mine = kept(share.table, share.last), words = sign.querySelector("span");
        if (!mine || !words) return;
        const same = mine === share.nonce;
        sign.classList.toggle("mine", same);
        sign.classList.toggle("odd", !same);
        forget(share.table, share.last);
        words.textContent = same ? "Fair deal, with your share" : share.nonce ? "Another nonce than yours" : "Your nonce came too late";
    }
}

export function takePart(root: HTMLElement): void {
    new Part(root);
}
