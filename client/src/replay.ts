// Steps through a replay in place: fetches the next ply, morphs it in and updates the URL. Without this script, every
// step is a link or a button that loads a page.

import { morph } from "./morph.ts";

const PLACE = "replay";

class Steps {
    private newest = 0;

    constructor() {
        document.addEventListener("click", (event) => this.clicked(event));
        document.addEventListener("submit", (event) => this.submitted(event));
        addEventListener("popstate", () => void this.show(fetch(location.href), undefined));
        this.showCurrent();
    }

    private clicked(event: MouseEvent): void {
        if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const link = (event.target as Element).closest<HTMLAnchorElement>(`#${PLACE} a[data-step]`);
        if (!link) return;
        event.preventDefault();
        void this.show(fetch(link.href), link.href);
    }

    // An uploaded record is sent again with every step.
    private submitted(event: SubmitEvent): void {
        const form = event.target as HTMLFormElement;
        if (form.id !== "brought" || !(event.submitter instanceof HTMLButtonElement) || !event.submitter.value) return;
        event.preventDefault();
        void this.show(fetch(form.action, { method: "POST", body: new FormData(form, event.submitter) }), undefined);
    }

    private async show(asked: Promise<Response>, address: string | undefined): Promise<void> {
        const number = ++this.newest;
        document.getElementById(PLACE)?.setAttribute("aria-busy", "true"); // a review takes seconds
        try {
            const html = await (await asked).text();
            if (number !== this.newest) return; // a newer step was requested
            const next = new DOMParser().parseFromString(html, "text/html");
            const place = document.getElementById(PLACE), found = next.getElementById(PLACE);
            if (!place || !found) throw new Error("the response has no replay");
            morph(place, found.innerHTML);
            place.className = found.className;
            place.removeAttribute("aria-busy");
            document.title = next.title;
            if (address) history.replaceState(null, "", address);
            this.showCurrent();
        } catch {
            if (address) location.href = address;
            else location.reload();
        }
    }

    // Scrolls the list to the current ply without scrolling the page.
    private showCurrent(): void {
        const list = document.querySelector<HTMLElement>(`#${PLACE} .plies ol`), now = list?.querySelector<HTMLElement>(".now");
        if (list && now) list.scrollTop += now.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2 + now.clientHeight / 2;
    }
}

export function stepInPlace(): void {
    if (document.getElementById(PLACE)) new Steps();
}
