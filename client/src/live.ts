// A table's page and its socket: pages come down and are morphed in, forms go up.

import { morph } from "./morph.ts";
import { moves } from "./motion.ts";
import type { PageDownFrame, PageFrame, PageUpFrame } from "./protocol.ts";
import { reveal, revealing, stopRevealing } from "./reveal.ts";

const WAITS = [50, 250, 500, 1000, 2000, 5000]; // ms before each further try to connect
const CROWDED = 4429; // too many sockets or requests: the server has room again when others have gone
const CROWDED_WAIT = 5000; // ms, and up to as long again, so that not all come back together
const PING_EVERY = 8000;
const SILENT_FOR = 4000; // ms without an answer to a ping, after which the connection counts as dead
const ANEW = new Set([4401, 4404]); // the page is another one now: it is loaded again
const FINAL = new Set([4400, 4403]); // closed for good: neither trying again nor loading again would help

type Fields = Record<string, string>;

class Table {
    private socket: WebSocket | undefined;
    private tries = 0;
    private closed = false;
    private again: number | undefined;
    private silence: number | undefined;
    private draft: Fields | undefined;
    private drafting = ""; // the id of a draft whose page is on its way
    private answered = 0; // the version that shows what came of the last form
    private last: PageFrame | undefined; // the page that came last; while a result is revealed, it waits
    private readonly unanswered = new Map<string, Fields>();

    constructor(private readonly root: HTMLElement) {
        root.addEventListener("submit", (event) => this.submitted(event));
        root.addEventListener("change", (event) => this.changed(event));
        addEventListener("online", () => this.connect());
        document.addEventListener("visibilitychange", () => { if (!document.hidden) this.ask(); });
        setInterval(() => this.ask(), PING_EVERY);
        this.connect();
    }

    private connect(): void {
        clearTimeout(this.again);
        if (this.closed) return;
        if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
        const address = new URL(this.root.dataset["live"]!, location.href);
        address.protocol = address.protocol.replace("http", "ws");
        const socket = (this.socket = new WebSocket(address));
        socket.onopen = () => {
            for (const [id, fields] of this.unanswered) this.send({ kind: "form", id, fields });
            if (this.draft) this.drafted(this.draft);
        };
        socket.onmessage = (event: MessageEvent<string>) => this.told(JSON.parse(event.data) as PageDownFrame);
        socket.onclose = (event) => this.lost(socket, event);
    }

    private lost(socket: WebSocket, event: CloseEvent): void {
        if (socket !== this.socket) return;
        clearTimeout(this.silence);
        this.silence = undefined;
        if (ANEW.has(event.code)) {
            location.reload();
            return;
        }
        if (FINAL.has(event.code)) {
            this.closed = true;
            alertWith("This page cannot follow the table from here. Open it again at the address that the server gives.");
            return;
        }
        if (event.code === CROWDED) {
            this.again = window.setTimeout(() => this.connect(), CROWDED_WAIT * (1 + Math.random()));
            return;
        }
        const wait = WAITS[Math.min(this.tries, WAITS.length - 1)]!;
        this.tries += 1;
        // A break that is mended at once is not worth a word.
        if (this.tries > 2) this.sayLost(true);
        this.again = window.setTimeout(() => this.connect(), wait);
    }

    // Whether the other side is still there; where nothing comes back, the connection is given up.
    private ask(): void {
        if (this.socket?.readyState !== WebSocket.OPEN) {
            this.connect();
            return;
        }
        this.send({ kind: "ping" });
        this.silence ??= window.setTimeout(() => {
            const dead = this.socket;
            this.silence = undefined;
            if (!dead) return;
            dead.onclose = null;
            dead.close();
            this.socket = undefined;
            this.connect();
        }, SILENT_FOR);
    }

    private told(told: PageDownFrame): void {
        clearTimeout(this.silence);
        this.silence = undefined;
        switch (told.kind) {
            case "page":
                this.tries = 0; // an open socket may still be refused; only a page says that it works
                this.sayLost(false);
                if (told.draft === this.drafting) this.drawn();
                this.last = told;
                if (told.revealing !== undefined && moves()) {
                    reveal(told.result, () => this.draw(this.last!, this.last!.html));
                    this.draw(told, told.revealing);
                } else if (!revealing() || revealing() !== told.result) {
                    stopRevealing();
                    this.draw(told, told.html);
                }
                break;
            case "answer":
                this.unanswered.delete(told.id);
                this.answered = Math.max(this.answered, told.version);
                alertWith(told.ok ? "" : sentence(told.message ?? ""));
                this.free();
                break;
            case "error": // what was sent was not taken, and nothing more comes of it
                alertWith(sentence(told.message ?? ""));
                this.unanswered.clear();
                this.drawn();
                this.free();
                break;
        }
    }

    private draw(page: PageFrame, html: string): void {
        morph(this.root, html, this.drafting !== "");
        this.root.dataset["version"] = String(page.version);
        this.free();
        this.root.dispatchEvent(new CustomEvent("table", { bubbles: true }));
    }

    private submitted(event: SubmitEvent): void {
        const form = event.target as HTMLFormElement;
        if (this.closed || this.root.dataset["version"] === undefined) return;
        // A button of a form that is filled in step by step is a step, too.
        if (form.dataset["draft"] !== undefined && form.dataset["do"] === undefined) {
            event.preventDefault();
            this.drafted(fieldsOf(form, event.submitter));
            return;
        }
        if (form.dataset["do"] === undefined) return;
        if (form.querySelector("[name=name]")) return; // who says his name gets a cookie, which no socket can set
        event.preventDefault();
        if (form.getAttribute("aria-busy") === "true") return; // pressed twice: the answer is on its way
        const fields = fieldsOf(form, event.submitter);
        if (form.dataset["do"] === "say" && !fields["text"]?.trim()) return;
        const id = identifier();
        this.unanswered.set(id, fields);
        this.send({ kind: "form", id, fields });
        if (form.dataset["do"] === "say") form.reset();
        else form.setAttribute("aria-busy", "true");
    }

    // A form that is filled in step by step is drawn anew after every step, by who knows the rules.
    private changed(event: Event): void {
        const form = (event.target as HTMLElement).closest<HTMLFormElement>("form[data-draft]");
        if (form) this.drafted(fieldsOf(form));
    }

    // What rests on the draft cannot be sent until the page comes that shows the new one; what is chosen in it stays
    // chosen while other pages come.
    private drafted(fields: Fields): void {
        this.draft = fields;
        this.drafting = this.root.dataset["drafting"] = identifier();
        for (const button of this.root.querySelectorAll<HTMLButtonElement>("[data-drafted] button")) button.disabled = true;
        this.send({ kind: "draft", id: this.drafting, fields });
    }

    private drawn(): void {
        this.drafting = "";
        delete this.root.dataset["drafting"];
    }

    // A form can be sent again when the page shows what came of it.
    private free(): void {
        if (this.unanswered.size > 0 || Number(this.root.dataset["version"]) < this.answered) return;
        for (const form of this.root.querySelectorAll("[aria-busy]")) form.removeAttribute("aria-busy");
    }

    private send(message: PageUpFrame): void {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
        else this.connect();
    }

    private sayLost(lost: boolean): void {
        const banner = document.getElementById("link");
        if (banner) banner.hidden = !lost;
    }
}

function fieldsOf(form: HTMLFormElement, submitter?: HTMLElement | null): Fields {
    const fields: Fields = {};
    for (const [name, value] of new FormData(form, submitter)) if (typeof value === "string") fields[name] = value;
    return fields;
}

// 128 random bits; crypto.randomUUID is missing where a page comes over plain HTTP from another machine.
function identifier(): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sentence(text: string): string {
    return text && text[0]!.toUpperCase() + text.slice(1).replaceAll("'", "’") + (/[.!?]$/.test(text) ? "" : ".");
}

export function alertWith(text: string): void {
    const place = document.getElementById("alert");
    if (place && place.textContent !== text) place.textContent = text;
}

export function goLive(root: HTMLElement): void {
    new Table(root);
}
