// The count of a hand. Drawn, it is the outcome at once; where somebody has followed the hand, it is shown step by step,
// seat by seat. The movement itself is the style sheet's; whoever wants no movement sees none.

import { moves } from "../motion.ts";

const LONGEST = 4000; // ms

let followed = false;
document.addEventListener("table", () => { followed = true; });

class HandCount extends HTMLElement {
    static observedAttributes = ["data-same"];
    private timer: number | undefined;

    connectedCallback(): void {
        this.play();
    }

    disconnectedCallback(): void {
        clearTimeout(this.timer);
    }

    attributeChangedCallback(_name: string, before: string | null): void {
        if (before !== null) this.play();
    }

    skip(): void {
        clearTimeout(this.timer);
        this.classList.remove("play");
    }

    private play(): void {
        this.skip();
        if (!followed || !moves()) return;
        this.classList.add("play");
        this.timer = window.setTimeout(() => this.skip(), LONGEST);
    }
}

customElements.define("hand-count", HandCount);

document.addEventListener("click", (event) => {
    const target = event.target as Element;
    if (target.closest("[data-skip], hand-count")) document.querySelector<HandCount>("hand-count")?.skip();
});
