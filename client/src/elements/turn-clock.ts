// Counts down the seconds that are left; the server has said how many when it drew the page. The ring of the seat that
// it stands in shrinks with it.

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
        const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
        if (this.textContent !== text) this.textContent = text;
        const arc = this.closest(".seat")?.querySelector(".ring-left");
        if (!arc || this.given <= 0) return;
        arc.setAttribute("pathLength", "1");
        arc.setAttribute("stroke-dasharray", `${seconds / this.given} 1`);
    }
}

customElements.define("turn-clock", TurnClock);
