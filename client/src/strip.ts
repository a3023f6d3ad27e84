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
