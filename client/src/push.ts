// Push notifications: this browser's subscription, and the settings that turn it on and off.

import { _ } from "./words.ts";

const PLACE = "push"; // holds the tag of the session that this browser is subscribed in

export function pushKey(): string {
    return "PushManager" in window && "Notification" in window ? document.documentElement.dataset["push"] ?? "" : "";
}

// Asks for permission if necessary, and subscribes this browser. Returns whether notifications are on now.
export async function subscribe(): Promise<boolean> {
    if ((await Notification.requestPermission()) !== "granted") return false;
    try {
        const { pushManager } = await navigator.serviceWorker.ready;
        const options = { userVisibleOnly: true, applicationServerKey: pushKey() };
        const known = await pushManager.getSubscription();
        const made = await pushManager.subscribe(options).catch(async (error: unknown) => {
            if (!(await known?.unsubscribe())) throw error; // it was made with another key of the server
            return pushManager.subscribe(options);
        });
        const headers = { "Content-Type": "application/json" };
        const response = await fetch("/push/subscribe", { method: "POST", headers, body: JSON.stringify(made) });
        if (response.ok) localStorage.setItem(PLACE, document.documentElement.dataset["session"] ?? "");
        return response.ok;
    } catch {
        return false; // no push service can be reached, or the browser has none
    }
}

// A subscription ends with its session. In a new session of this browser, it is made again.
export function keepSubscribed(): void {
    const session = localStorage.getItem(PLACE);
    if (!pushKey() || session === null || session === document.documentElement.dataset["session"]) return;
    if (Notification.permission === "granted") void subscribe();
}

export async function listenForDevices(): Promise<void> {
    const button = document.getElementById("push-here");
    if (!button || !pushKey()) return;
    const place = document.getElementById("push-refused")!;
    button.addEventListener("click", async () => {
        if (await subscribe()) location.reload();
        else place.textContent = _("This browser doesn’t allow notifications. Allow them in its settings for this site, then try again.");
    });
    const subscription = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
    const row = subscription && document.querySelector(`[data-device="${await deviceOf(subscription.endpoint)}"]`);
    button.hidden = row !== null;
    row?.querySelector<HTMLElement>("[data-here]")?.removeAttribute("hidden");
    row?.querySelector("form")?.addEventListener("submit", () => {
        localStorage.removeItem(PLACE);
        void subscription!.unsubscribe();
    });
}

// The id under which the server knows a subscription.
async function deviceOf(endpoint: string): Promise<string> {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
    return Array.from(digest.slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
