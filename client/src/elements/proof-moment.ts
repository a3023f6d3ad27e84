// The moment after a challenge: while it lasts, `data-proving` stands on the document and the style sheet lets the
// cards turn up seat by seat. Everything is already there without it. Its button ends it at once.

const LASTS = 4200; // ms; the style sheet is through by then

class ProofMoment extends HTMLElement {
    private static seen = "";
    private timer: number | undefined;

    connectedCallback(): void {
        this.addEventListener("click", this.end);
        const key = this.dataset["key"] ?? "";
        // Who comes to a table where all has been shown already finds it so.
        const fresh = ProofMoment.seen !== key && document.readyState === "complete";
        ProofMoment.seen = key;
        if (!fresh) return;
        document.documentElement.dataset["proving"] = key;
        this.timer = window.setTimeout(this.end, LASTS);
    }

    disconnectedCallback(): void {
        this.end();
    }

    private readonly end = (): void => {
        clearTimeout(this.timer);
        delete document.documentElement.dataset["proving"];
    };
}

customElements.define("proof-moment", ProofMoment);
