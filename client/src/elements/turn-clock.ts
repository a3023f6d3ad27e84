// Counts down the seconds left, starting from the number that the server rendered, and shrinks the clock ring of its
// seat.

import { _ } from "../words.ts";

class TurnClock extends HTMLElement {
    static observedAttributes = ["data-left", "data-key"];
    private given = 0;
    private end = 0;
    private timer: number | undefined;

    attributeChangedCallback(): void {
        this.given = Number(this.dataset["left"]);
        this.end = performance.now() + 1000 * this.given;
        if (this.isConnected) this.tick();
    }

    connectedCallback(): void {
        this.timer = window.setInterval(() => this.tick(), 250);
    }

    disconnectedCallback(): void {
        clearInterval(this.timer);
    }

    private tick(): void {
        const seconds = Math.max(0, (this.end - performance.now()) / 1000);
        const left = Math.ceil(seconds);
        const text = words(left);
        if (this.textContent !== text) this.textContent = text;
        const arc = this.closest(".seat")?.querySelector(".ring-left");
        if (!arc || this.given <= 0) return;
        arc.setAttribute("pathLength", "1");
        arc.setAttribute("stroke-dasharray", `${seconds / this.given} 1`);
    }
}

// As the server's filter `clock` writes it.
function words(seconds: number): string {
    const whole = (unit: number): number => Math.floor(seconds / unit);
    if (seconds >= 86_400) return _("{days} d {hours} h", { days: whole(86_400), hours: whole(3600) % 24 });
    if (seconds > 3600) return _("{hours} h {minutes} m", { hours: whole(3600), minutes: whole(60) % 60 });
    return `${whole(60)}:${String(seconds % 60).padStart(2, "0")}`;
}

customElements.define("turn-clock", TurnClock);
