// Keeps a phone's screen on while a table is visible, if the browser grants it.

export function stayAwake(): void {
    const ask = (): void => {
        if (document.hidden || !("wakeLock" in navigator)) return;
        navigator.wakeLock.request("screen").catch(() => undefined); // not granted: the screen turns off as usual
    };
    document.addEventListener("visibilitychange", ask);
    ask();
}
