// The moment in which a result is revealed: hands count, or cards turn up. While it lasts, `data-revealing` stands on the
// document and the style sheet moves. The page meanwhile is one on which nothing else depends on the result.

const LASTS = 3700; // ms; the style sheet is through by then

let timer: number | undefined;
let after: (() => void) | undefined;

// Which result is being revealed; empty for none.
export function revealing(): string {
    return document.documentElement.dataset["revealing"] ?? "";
}

// Begin to reveal the result of this key; `then` follows, unless something else is shown before.
export function reveal(key: string, then: () => void): void {
    stopRevealing();
    document.documentElement.dataset["revealing"] = key;
    after = then;
    timer = window.setTimeout(end, LASTS);
}

export function stopRevealing(): void {
    clearTimeout(timer);
    after = undefined;
    delete document.documentElement.dataset["revealing"];
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
