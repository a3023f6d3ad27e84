// Alerts the user to their turn: by title, icon and vibration, and by a notification if allowed and the page is hidden.

import { pushKey, subscribe } from "./push.ts";
import { _ } from "./words.ts";

const BUZZ = 150; // ms

export function alertTurns(root: HTMLElement): void {
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    const plain = { title: document.title, icon: icon?.href };
    let shown: Notification | undefined;
    let missed = false;

    let before = false;
    const look = (): void => {
        const yours = root.querySelector(".dock.turn") !== null;
        if (yours === before) return;
        before = yours;
        document.title = yours ? `● ${_("Your turn")} · ${plain.title}` : plain.title;
        if (icon && icon.dataset["turn"]) icon.href = yours ? icon.dataset["turn"] : plain.icon!;
        if (!yours) {
            shown?.close();
            shown = undefined;
            return;
        }
        // Without a user gesture, browsers ignore this call, and some log a warning.
        if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ);
        if (!document.hidden) return;
        missed = true;
        shown = notify(plain.title);
    };
    root.addEventListener("table", look);
    look();

    document.addEventListener("visibilitychange", () => {
        if (document.hidden) return;
        shown?.close();
        shown = undefined;
        if (missed) offer();
        missed = false;
    });
    const button = document.querySelector<HTMLButtonElement>("#notify button[value=on]");
    button?.addEventListener("click", () => void ask());
    document.querySelector("#notify button[value=off]")?.addEventListener("click", () => hide(true));
}

function notify(title: string): Notification | undefined {
    if (!supported() || Notification.permission !== "granted") return undefined;
    try {
        const notification = new Notification(_("Your turn"), { body: title, tag: location.pathname });
        notification.onclick = () => { window.focus(); notification.close(); };
        return notification;
    } catch {
        return undefined; // on Android only a service worker may show one
    }
}

// Offers notifications when the user returns to the page and has missed a turn.
function offer(): void {
    const place = document.getElementById("notify");
    if (place && supported() && Notification.permission === "default" && !localStorage.getItem("no-notifications")) {
        place.hidden = false;
    }
}

// Notifies in this page, and after it is closed if the server and the browser can.
async function ask(): Promise<void> {
    if (pushKey()) void subscribe();
    else await Notification.requestPermission();
    hide(false);
}

function hide(forGood: boolean): void {
    if (forGood) localStorage.setItem("no-notifications", "1");
    const place = document.getElementById("notify");
    if (place) place.hidden = true;
}

function supported(): boolean {
    return "Notification" in window && isSecureContext;
}
