// On a phone the seats are a scrolling strip: brings the player to act into view, or the user's own seat if there is none.

export function followTurn(root: HTMLElement): void {
    const narrow = matchMedia("(max-width: 900px)"); // wider pages don't scroll, and measuring costs a layout
    let shown = "";
    const show = (): void => {
        if (!narrow.matches) return;
        const seat = root.querySelector<HTMLElement>(".oval .seat.turn") ?? root.querySelector<HTMLElement>(".oval .seat.you");
        const strip = seat?.parentElement;
        const now = `${seat?.dataset["user"]} ${strip?.scrollWidth}`; // the layout of the strip can change too
        if (!seat || !strip || shown === now) return;
        shown = now;
        if (strip.scrollWidth > strip.clientWidth) {
            strip.scrollTo({ left: seat.offsetLeft - (strip.clientWidth - seat.offsetWidth) / 2 });
        }
    };
    root.addEventListener("table", show);
    show();
}

// On a phone the tabs of a page scroll too: brings the current one into view where the style sheet can't.
export function showCurrentTab(): void {
    if (CSS.supports("scroll-initial-target", "nearest")) return;
    const tab = document.querySelector<HTMLElement>(".rules .tabs [aria-current]");
    const tabs = tab?.parentElement;
    if (tab && tabs) tabs.scrollLeft += tab.getBoundingClientRect().right - tabs.getBoundingClientRect().right + 12;
}
