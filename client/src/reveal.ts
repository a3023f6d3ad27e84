// Reveals a result: the count of hands, or the cards of a showdown. During the reveal, the document has the attribute
// `data-revealing`, on which the style sheet's animations depend, and the rest of the page doesn't show the result yet.

const DURATION = 3400; // ms; longer than the style sheet's animations

const STEPS = new Set(["show", "turn-face", "queen-annes-turn"]); // animations of one seat or card each

let timer: number | undefined;
let after: (() => void) | undefined;

// The key of the result being revealed; empty for none.
export function revealing(): string {
    return document.documentElement.dataset["revealing"] ?? "";
}

// Starts to reveal a result, and calls `then` at the end unless the reveal is stopped.
export function reveal(key: string, then: () => void): void {
    stopRevealing();
    document.documentElement.dataset["revealing"] = key;
    after = then;
    timer = window.setTimeout(end, DURATION);
}

export function stopRevealing(): void {
    clearTimeout(timer);
    after = undefined;
    delete document.documentElement.dataset["revealing"];
}

// The times, in seconds, at which the animations of the reveal begin to show a seat's hand or a card.
export function revealTimes(): number[] {
    const starts = document.getAnimations()
        .filter((one) => one instanceof CSSAnimation && STEPS.has(one.animationName))
        .map((one) => Number(one.effect?.getTiming().delay ?? 0));
    return [...new Set(starts.map((start) => Math.round(start) / 1000))];
}

function end(): void {
    const then = after;
    stopRevealing();
    then?.();
}

export function listenForSkips(): void {
    document.addEventListener("click", (event) => {
        if ((event.target as Element).closest("[data-skip]")) end();
    });
}
