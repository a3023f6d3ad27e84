// What a table's page shows that sounds and animations depend on.

import { revealing } from "./reveal.ts";

export interface Glimpse {
    readonly stage: string;
    readonly deal: string;
    readonly actions: number;
    readonly action: string; // the latest one: "bid" or "challenge"
    readonly turn: boolean; // it's the user's turn
    readonly outcome: "" | "win" | "loss" | "even"; // of the user's last round, once it has been revealed
    readonly revealing: string;
    readonly units: ReadonlyMap<string, number>; // by user
}

function glimpse(root: HTMLElement): Glimpse {
    const shown = root.querySelector<HTMLElement>("#main")!;
    const seats = root.querySelectorAll<HTMLElement>(".seat[data-units]");
    return {
        stage: shown.dataset["stage"] ?? "",
        deal: shown.dataset["deal"] ?? "",
        actions: Number(shown.dataset["actions"]),
        action: shown.dataset["action"] ?? "",
        turn: root.querySelector(".dock.turn") !== null,
        outcome: (shown.dataset["outcome"] ?? "") as Glimpse["outcome"],
        revealing: revealing(),
        units: new Map(Array.from(seats, (seat) => [seat.dataset["user"]!, Number(seat.dataset["units"])])),
    };
}

// Returns a function that returns what the page showed when it was called last, and what it shows now.
export function changeOf(root: HTMLElement): () => readonly [Glimpse, Glimpse] {
    let before = glimpse(root);
    return () => {
        const now = glimpse(root);
        const change = [before, now] as const;
        before = now;
        return change;
    };
}
