// A table's page and its WebSocket: receives pages and morphs them in, sends forms.

import { morph } from "./morph.ts";
import { moves } from "./motion.ts";
import type { InvitationLine, PageDownFrame, PageFrame, PageUpFrame } from "./protocol.ts";
import { reveal, revealing, stopRevealing } from "./reveal.ts";
import { _ } from "./words.ts";

const DELAYS = [50, 250, 500, 1000, 2000, 5000]; // ms before each attempt to reconnect
const CROWDED = 4429; // close code: too many sockets or requests
const CROWDED_DELAY = 5000; // ms, plus a random delay of the same size so that clients don't all return at once
const PING_AFTER = 1000; // ms without a message until a visible page sends a ping
const PING_HIDDEN = 8000; // ms until a page in the background does
const PING_TIMEOUT = 1000; // ms without an answer to a ping until the connection is shown as lost
const GIVE_UP_AFTER = 4000; // ms without an answer to a ping until the page reconnects
const BRIEF = 1000; // ms; a shorter interruption isn't shown
const RELOAD = new Set([4401, 4404]); // close codes after which the page is reloaded, since it is a different one now
const FINAL = new Set([4400, 4403]); // close codes after which neither reconnecting nor reloading helps

type Fields = Record<string, string>;

class Table {
    private socket: WebSocket | undefined;
    private tries = 0;
    private closed = false;
    private again: number | undefined;
    private silence: number | undefined;
    private reporting: number | undefined;
    private lastMessage = 0; // ms, on the clock of performance.now()
    private draft: Fields | undefined;
    private drafting = ""; // the id of a draft whose page hasn't arrived
    private answered = 0; // the table version that includes the last form's effect
    private last: PageFrame | undefined; // the latest page; shown only after a result has been revealed
    private readonly unanswered = new Map<string, Fields>();
    private readonly parts: Record<string, string> = {}; // the latest HTML of each part that is sent separately, by id

    constructor(private readonly root: HTMLElement) {
        root.addEventListener("submit", (event) => this.submitted(event));
        root.addEventListener("change", (event) => this.changed(event));
        addEventListener("online", () => this.ping());
        addEventListener("offline", () => this.showLost(true));
        document.addEventListener("visibilitychange", () => { if (!document.hidden) this.ping(); });
        setInterval(() => {
            const quiet = performance.now() - this.lastMessage;
            if (this.socket?.readyState !== WebSocket.OPEN) return;
            if (quiet >= (document.hidden ? PING_HIDDEN : PING_AFTER)) this.ping();
        }, PING_AFTER);
        this.connect();
    }

    private connect(): void {
        clearTimeout(this.again);
        if (this.closed) return;
        if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
        const address = new URL(this.root.dataset["live"]!, location.href);
        address.protocol = address.protocol.replace("http", "ws");
        const socket = (this.socket = new WebSocket(address));
        const hanging = window.setTimeout(() => this.abandon(socket), GIVE_UP_AFTER);
        socket.onopen = () => {
            clearTimeout(hanging);
            this.lastMessage = performance.now();
            for (const [id, fields] of this.unanswered) this.send({ kind: "form", id, fields });
            if (this.draft) this.drafted(this.draft);
        };
        socket.onmessage = (event: MessageEvent<string>) => this.received(JSON.parse(event.data) as PageDownFrame);
        socket.onclose = (event) => this.lost(socket, event);
    }

    private lost(socket: WebSocket, event: CloseEvent): void {
        if (socket !== this.socket) return;
        this.clearSilence();
        if (RELOAD.has(event.code)) {
            location.reload();
            return;
        }
        if (FINAL.has(event.code)) {
            this.closed = true;
            alertWith(_("This page can’t update from this address. Open the table at the server’s own address."));
            return;
        }
        if (event.code === CROWDED) {
            this.again = window.setTimeout(() => this.connect(), CROWDED_DELAY * (1 + Math.random()));
            return;
        }
        const wait = DELAYS[Math.min(this.tries, DELAYS.length - 1)]!;
        this.tries += 1;
        this.reporting ??= window.setTimeout(() => this.showLost(true), BRIEF);
        this.again = window.setTimeout(() => this.connect(), wait);
    }

    // Pings the server, and reconnects if there is no answer.
    private ping(): void {
        if (this.socket?.readyState !== WebSocket.OPEN) {
            this.connect();
            return;
        }
        if (this.silence !== undefined) return; // a ping is unanswered
        this.send({ kind: "ping" });
        const asked = this.socket;
        this.reporting ??= window.setTimeout(() => this.showLost(true), PING_TIMEOUT);
        this.silence = window.setTimeout(() => this.abandon(asked), GIVE_UP_AFTER);
    }

    // Closes a dead connection and opens another one.
    private abandon(dead: WebSocket): void {
        if (dead !== this.socket) return;
        clearTimeout(this.silence);
        this.silence = undefined;
        dead.onclose = null;
        dead.close();
        this.socket = undefined;
        this.reporting ??= window.setTimeout(() => this.showLost(true), BRIEF);
        this.connect();
    }

    private clearSilence(): void {
        clearTimeout(this.silence);
        this.silence = undefined;
    }

    private received(frame: PageDownFrame): void {
        this.clearSilence();
        this.lastMessage = performance.now();
        if (frame.kind !== "error") this.showLost(false);
        switch (frame.kind) {
            case "page":
                this.tries = 0; // an open socket can still be refused; the first page confirms it
                if (frame.draft === this.drafting) this.drawn();
                this.last = frame;
                if (frame.revealing !== undefined && moves()) {
                    reveal(frame.result, () => this.draw(this.last!, this.last!.html));
                    this.draw(frame, frame.revealing);
                }
                Object.assign(this.parts, frame.parts); // they belong to `html`
                if (!revealing() || revealing() !== frame.result) {
                    stopRevealing();
                    this.draw(frame, frame.html);
                }
                break;
            case "answer":
                this.unanswered.delete(frame.id);
                this.answered = Math.max(this.answered, frame.version);
                alertWith(frame.ok ? "" : sentence(frame.message ?? ""));
                this.free();
                break;
            case "invitations":
                showInvitation(frame.invitations[0]);
                break;
            case "error": // the message was rejected and has no effect
                alertWith(sentence(frame.message ?? ""));
                this.unanswered.clear();
                this.drawn();
                this.free();
                break;
        }
    }

    private draw(page: PageFrame, html: string): void {
        morph(this.root, this.complete(html), this.drafting !== "");
        this.root.dataset["version"] = String(page.version);
        this.free();
        this.root.dispatchEvent(new CustomEvent("table", { bubbles: true }));
    }

    // Replaces the placeholders of parts that the page doesn't show yet; morphing leaves those that it shows alone.
    private complete(html: string): string {
        return html.replace(/<\w+ id="(.+?)" data-same="(.+?)" data-part><\/\w+>/g, (placeholder, id: string, key: string) =>
            document.getElementById(id)?.dataset["same"] === key ? placeholder : this.parts[id]!);
    }

    private submitted(event: SubmitEvent): void {
        const form = event.target as HTMLFormElement;
        if (this.closed || this.root.dataset["version"] === undefined) return;
        // A button of a draft form changes the draft.
        if (form.dataset["draft"] !== undefined && form.dataset["do"] === undefined) {
            event.preventDefault();
            this.drafted(fieldsOf(form, event.submitter));
            return;
        }
        if (form.dataset["do"] === undefined) return;
        if (form.querySelector("[name=name]")) return; // the response sets a cookie, which a WebSocket can't
        event.preventDefault();
        if (form.getAttribute("aria-busy") === "true") return; // pressed twice: already sent
        const fields = fieldsOf(form, event.submitter);
        if (form.dataset["do"] === "say" && !fields["text"]?.trim()) return;
        const id = identifier();
        this.unanswered.set(id, fields);
        this.send({ kind: "form", id, fields });
        if (form.dataset["do"] === "say") form.reset();
        else for (const sent of [form, event.submitter]) sent?.setAttribute("aria-busy", "true"); // it may be outside
    }

    // The server renders a draft form again after every change, since it knows the rules.
    private changed(event: Event): void {
        const form = (event.target as HTMLElement).closest<HTMLFormElement>("form[data-draft]");
        if (form) this.drafted(fieldsOf(form));
    }

    // Buttons that depend on the draft are disabled until the page with the new draft arrives. Other pages that arrive
    // before don't change the draft's fields.
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

    // Lets forms be sent again once the page shows their effect.
    private free(): void {
        if (this.unanswered.size > 0 || Number(this.root.dataset["version"]) < this.answered) return;
        for (const sent of this.root.querySelectorAll("[aria-busy]")) sent.removeAttribute("aria-busy");
    }

    private send(message: PageUpFrame): void {
        if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
        else this.connect();
    }

    private showLost(lost: boolean): void {
        clearTimeout(this.reporting);
        this.reporting = undefined;
        const banner = document.getElementById("link");
        if (banner) banner.hidden = !lost;
    }
}

function fieldsOf(form: HTMLFormElement, submitter?: HTMLElement | null): Fields {
    const fields: Fields = {};
    for (const [name, value] of new FormData(form, submitter)) if (typeof value === "string") fields[name] = value;
    return fields;
}

// 128 random bits. crypto.randomUUID isn't available on pages loaded over plain HTTP from another machine.
function identifier(): string {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sentence(text: string): string {
    const typeset = text.replace(/(?<!\w)'([^']+)'(?!\w)/g, "“$1”").replaceAll("'", "’");
    return typeset.charAt(0).toUpperCase() + typeset.slice(1) + (!text || /[.!?]$/.test(text) ? "" : ".");
}

function alertWith(text: string): void {
    const place = document.getElementById("alert");
    if (place && place.textContent !== text) place.textContent = text;
}

// Offers the newest invitation to another table.
function showInvitation(newest: InvitationLine | undefined): void {
    const place = document.getElementById("invited")!;
    place.hidden = newest === undefined;
    if (newest === undefined) return;
    place.querySelector("span")!.textContent = _("{name} invites you to {table}.", { name: newest.name, table: newest.title.replaceAll("'", "’") });
    place.querySelector("a")!.href = `/t/${newest.table}`;
    place.querySelector("button")!.onclick = () => { place.hidden = true; };
}

export function goLive(root: HTMLElement): void {
    new Table(root);
}
