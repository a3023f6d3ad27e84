// Reloads the lobby's list of tables every few seconds while the page is visible.

import { morph } from "./morph.ts";

const EVERY = 4000;

export function keepFresh(root: HTMLElement): void {
    const address = root.dataset["fresh"]!;
    const title = document.title.replace(/^\(\d+\) /, "");
    let busy = false;

    async function look(): Promise<void> {
        if (busy || document.hidden) return;
        busy = true;
        try {
            const response = await fetch(address, { headers: { Accept: "text/html" } });
            if (response.ok) morph(root, await response.text());
            count();
            const go = root.querySelector<HTMLAnchorElement>("[data-go]");
            if (go) location.assign(go.href);
        } catch {
            // The network is down; try again next time.
        } finally {
            busy = false;
        }
    }

    // The number of correspondence games that wait for the user, in the title and in the bar.
    function count(): void {
        const turns = Number(root.querySelector<HTMLDataElement>("#turns")?.value);
        document.title = turns ? `(${turns}) ${title}` : title;
        const link = document.querySelector<HTMLElement>(".bar .turns");
        if (!link) return;
        link.hidden = !turns;
        link.querySelector("b")!.textContent = String(turns);
    }

    setInterval(() => void look(), EVERY);
    addEventListener("focus", () => void look());
    document.addEventListener("visibilitychange", () => void look());
}
