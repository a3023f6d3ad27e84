// "Challenge whatever comes": a box that is ticked before one's turn. When the turn comes and a challenge may be made,
// its form is sent, as if somebody had pressed the button.

let armed: string | undefined; // the hand for which it holds

export function premove(root: HTMLElement): void {
    root.addEventListener("change", (event) => {
        const box = event.target as HTMLInputElement;
        if (box.dataset["premove"] !== undefined) armed = box.checked ? box.dataset["premove"] : undefined;
    });
    root.addEventListener("table", () => {
        if (armed === undefined) return;
        if (!root.querySelector("main.round")) {
            armed = undefined; // the hand is over, and nothing was chosen for the next one
            return;
        }
        const box = root.querySelector<HTMLInputElement>("[data-premove]");
        if (box) {
            if (box.dataset["premove"] === armed) box.checked = true;
            else armed = undefined;
            return;
        }
        if (!root.querySelector(".dock.turn")) return;
        armed = undefined;
        root.querySelector<HTMLButtonElement>("button.challenge")?.click();
    });
}
