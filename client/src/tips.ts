// Shows the explanation of a badge or symbol on hover and on keyboard focus. Without this script, a tap or Enter does.

const PAUSE = 350; // ms of hovering until a tip is shown, and of leaving until it is hidden

export function showTips(): void {
    let waiting: number | undefined;
    let shown: HTMLElement | null = null; // the tip shown by hover or focus

    const show = (sign: HTMLElement | null): void => {
        const tip = sign && document.getElementById(sign.getAttribute("popovertarget") ?? sign.dataset["tip"]!);
        if (tip === shown && tip?.matches(":popover-open")) return;
        shown?.hidePopover();
        tip?.showPopover({ source: sign! });
        shown = tip;
    };
    document.addEventListener("pointerover", (event) => {
        clearTimeout(waiting);
        const over = event.target as Element;
        if (event.pointerType === "touch" || over.closest(".tipbox")) return;
        const sign = over.closest<HTMLElement>(".tip, [data-tip]");
        if (sign || shown) waiting = window.setTimeout(() => show(sign?.isConnected ? sign : null), PAUSE);
    });
    document.addEventListener("keydown", (event) => {
        if (event.key === "Escape") clearTimeout(waiting); // a tip that was closed stays closed
    });
    document.addEventListener("focusin", (event) => {
        const on = event.target as HTMLElement;
        if (on.closest(".tipbox") || !(shown || on.matches(":focus-visible"))) return;
        clearTimeout(waiting);
        waiting = window.setTimeout(() => show(on.closest<HTMLElement>(".tip, [data-tip]"))); // not while a popover opens
    });
}
