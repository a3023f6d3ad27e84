// The bid pad: shows the selected bid and its payoffs on the button, and selects bids by keys. The page provides the
// bids, which of them are legal, and their payoffs.

import { occupied } from "../keys.ts";
import { _ } from "../words.ts";

const STEPS: Record<string, [number, number]> = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

class BidPad extends HTMLElement {
    static observedAttributes = ["data-same"];
    private readonly onKey = (event: KeyboardEvent): void => this.key(event);

    connectedCallback(): void {
        this.addEventListener("change", (event) => this.changed(event.target as HTMLInputElement));
        document.addEventListener("keydown", this.onKey, true);
        this.show();
    }

    disconnectedCallback(): void {
        document.removeEventListener("keydown", this.onKey, true);
    }

    // When the pad's key changes, its new children are inserted later in the same task.
    attributeChangedCallback(): void {
        queueMicrotask(() => this.show());
    }

    private get chosen(): HTMLInputElement | null {
        return this.querySelector("input[name=action]:checked");
    }

    private get levels(): HTMLElement[] {
        return [...this.querySelectorAll<HTMLElement>(".level")];
    }

    private changed(input: HTMLInputElement): void {
        if (input.name === "level") this.chooseLevel(input.value);
        this.show();
    }

    private chooseLevel(level: string): void {
        const row = this.levels.find((one) => one.dataset["level"] === level);
        const digit = this.chosen?.dataset["digit"];
        const open = row ? openKeys(row) : [];
        const key = open.find((one) => one.dataset["digit"] === digit) ?? open[0];
        if (key) key.checked = true;
    }

    private key(event: KeyboardEvent): void {
        if (event.ctrlKey || event.altKey || event.metaKey || occupied(event.target)) return;
        const step = STEPS[event.key];
        const found = step ? this.stepped(...step) : /^[0-9]$/.test(event.key) ? this.withDigit(event.key) : undefined;
        if (!found) return;
        event.preventDefault();
        event.stopPropagation();
        found.checked = true;
        found.focus({ preventScroll: true });
        this.show();
    }

    // The digit at the level that is chosen, else at the next one where it may be bid.
    private withDigit(digit: string): HTMLInputElement | undefined {
        const from = Math.max(0, this.levels.findIndex((row) => row.contains(this.chosen)));
        const open = this.levels.slice(from).flatMap(openKeys);
        return open.find((key) => key.dataset["digit"] === digit);
    }

    private stepped(across: number, down: number): HTMLInputElement | undefined {
        const rows = this.levels.map((row) => [...row.querySelectorAll<HTMLInputElement>("input")]);
        let y = rows.findIndex((row) => row.some((key) => key.checked));
        let x = y < 0 ? -1 : rows[y]!.findIndex((key) => key.checked);
        for (;;) {
            x += across;
            y += down;
            const width = rows[0]?.length ?? 0;
            if (across && (x < 0 || x >= width)) [x, y] = [x < 0 ? width - 1 : 0, y + across];
            const key = rows[y]?.[x];
            if (!key) return undefined;
            if (!key.disabled) return key;
        }
    }

    private show(): void {
        const chosen = this.chosen;
        if (!chosen) return;
        const { words, own, made, failed } = chosen.dataset as Record<"words" | "own" | "made" | "failed", string>;
        this.fill("[data-chosen]", words);
        this.fill("[data-own]", own === "0" ? _("none") : own);
        this.pays("[data-made]", Number(made));
        this.pays("[data-failed]", Number(failed));
        const row = chosen.closest<HTMLElement>(".level")!;
        const rail = this.querySelector<HTMLInputElement>(`input[name=level][value="${row.dataset["level"]}"]`);
        if (rail) rail.checked = true;
    }

    private fill(place: string, text: string): void {
        const element = this.querySelector(place);
        if (element) element.textContent = text;
    }

    private pays(place: string, units: number): void {
        const net = this.querySelector(`${place} .net`);
        if (!net) return;
        net.className = `net ${units > 0 ? "up" : units < 0 ? "down" : "flat"}`;
        net.textContent = `${units > 0 ? "▲" : units < 0 ? "▼" : "■"} ${Math.abs(units)}`;
    }
}

function openKeys(row: HTMLElement): HTMLInputElement[] {
    return [...row.querySelectorAll<HTMLInputElement>("input:enabled")];
}

customElements.define("bid-pad", BidPad);
