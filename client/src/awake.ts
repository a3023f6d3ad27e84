// Keeps the screen of a phone on while a table is looked at, where the browser allows it.

export function stayAwake(): void {
    const ask = (): void => {
        if (document.hidden || !("wakeLock" in navigator)) return;
        navigator.wakeLock.request("screen").catch(() => undefined); // not granted: the screen goes dark as ever
    };
    document.addEventListener("visibilitychange", ask);
    ask();
}
