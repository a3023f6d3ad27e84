// Bills and cards that fly to the seats at a deal, and units that fly from seat to seat when a round has been paid. They
// are drawn over the page, don't block it, and disappear at the next click or key.

import { changeOf } from "./moments.ts";
import { moves } from "./motion.ts";

const FLIGHT = 480; // ms
const SPREAD = 700; // ms at most between the first and the last start
const STEP = 90; // ms at most between two starts
const MOST_UNITS = 24; // flights of units at once; more than these are left out

export function listenForFlights(root: HTMLElement): void {
    const sky = document.body.appendChild(document.createElement("div"));
    sky.className = "flights";
    sky.ariaHidden = "true";
    const clear = (): void => sky.replaceChildren();
    addEventListener("pointerdown", clear, { passive: true });
    addEventListener("keydown", clear, { passive: true });
    const changed = changeOf(root);
    root.addEventListener("table", () => {
        const [before, now] = changed();
        if (document.hidden || !moves()) return;
        // Measuring costs a layout, which the next frame needs anyway.
        requestAnimationFrame(() => {
            if (now.deal !== before.deal && now.stage === "round") deal(root, sky);
            else if (!now.revealing) pay(root, sky, before.units, now.units);
        });
    });
}

function deal(root: HTMLElement, sky: HTMLElement): void {
    const floor = root.querySelector<HTMLElement>("#main")!;
    const from = center(floor.querySelector(".middle") ?? floor);
    const kind = floor.classList.contains("digits") ? "bill" : "card";
    const holders = floor.classList.contains("thorin") ? ".seat.turn" : ".seat:not(.out,.away)"; // only one holds the hand
    const seats = [...floor.querySelectorAll(holders)].map(center);
    seats.forEach((seat, index) => fly(sky, kind, "", from, seat, starts(index, seats.length)));
}

type Units = ReadonlyMap<string, number>;

function pay(root: HTMLElement, sky: HTMLElement, before: Units, now: Units): void {
    const won = [...now].map(([user, units]) => [user, units - (before.get(user) ?? units)] as const);
    const winners = won.filter(([, units]) => units > 0);
    const flights = won.filter(([, units]) => units < 0).flatMap(([payer, lost]) =>
        winners.map(([winner, units]) => [payer, winner, Math.min(-lost, units)] as const));
    flights.slice(0, MOST_UNITS).forEach(([payer, winner, units], index) => {
        const [from, to] = [payer, winner].map((user) => root.querySelector(`.seat[data-user="${CSS.escape(user)}"]`));
        if (from && to) fly(sky, "unit", String(units), center(from), center(to), starts(index, flights.length) / 2);
    });
}

function starts(index: number, count: number): number {
    return index * Math.min(STEP, SPREAD / count);
}

function center(element: Element): DOMPoint {
    const box = element.getBoundingClientRect();
    return new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
}

function fly(sky: HTMLElement, kind: string, text: string, from: DOMPoint, to: DOMPoint, delay: number): void {
    const thing = sky.appendChild(document.createElement("span"));
    thing.className = `flight ${kind}`;
    thing.textContent = text;
    const at = (point: DOMPoint, turn: number): string => `translate(${point.x}px, ${point.y}px) translate(-50%, -50%) rotate(${turn}deg)`;
    const flight = thing.animate([
        { transform: at(from, -8), opacity: 0, easing: "cubic-bezier(.2,.7,.2,1)" },
        { opacity: 1, offset: 0.15 },
        { opacity: 1, offset: 0.85 },
        { transform: at(to, 0), opacity: 0 },
    ], { duration: FLIGHT, delay, fill: "both" });
    flight.onfinish = () => thing.remove();
}
