// The part of a page that changes by itself is fetched again, every few seconds while somebody looks at it.

import { morph } from "./morph.ts";

const EVERY = 4000;

export function keepFresh(root: HTMLElement): void {
    const address = root.dataset["fresh"]!;
    let busy = false;

    async function look(): Promise<void> {
        if (busy || document.hidden) return;
        busy = true;
        try {
            const response = await fetch(address, { headers: { Accept: "text/html" } });
            if (response.ok) morph(root, await response.text());
        } catch {
            // The network is away; the next look may find it again.
        } finally {
            busy = false;
        }
    }

    setInterval(() => void look(), EVERY);
    addEventListener("focus", () => void look());
    document.addEventListener("visibilitychange", () => void look());
}
