// The "Challenge any bid" premove: a box that the user ticks before their turn. When the turn comes and a challenge is
// legal, the challenge button is clicked.

let armed: string | undefined; // the key of the hand for which the box is ticked

export function premove(root: HTMLElement): void {
    root.addEventListener("change", (event) => {
        const box = event.target as HTMLInputElement;
        if (box.dataset["premove"] !== undefined) armed = box.checked ? box.dataset["premove"] : undefined;
    });
    root.addEventListener("table", () => {
        if (armed === undefined) return;
        if (!root.querySelector("main.round")) {
            armed = undefined; // the hand is over; the premove doesn't apply to the next one
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
