// On a phone the seats are a strip that scrolls: whoever is to act is brought into view, or you while nobody is.

export function followTurn(root: HTMLElement): void {
    const narrow = matchMedia("(max-width: 900px)"); // elsewhere nothing scrolls, and to look costs a layout
    let shown = "";
    const show = (): void => {
        if (!narrow.matches) return;
        const seat = root.querySelector<HTMLElement>(".oval .seat.turn") ?? root.querySelector<HTMLElement>(".oval .seat.you");
        const strip = seat?.parentElement;
        const now = `${seat?.dataset["user"]} ${strip?.scrollWidth}`; // the same strip may be laid out anew, too
        if (!seat || !strip || shown === now) return;
        shown = now;
        if (strip.scrollWidth > strip.clientWidth) {
            strip.scrollTo({ left: seat.offsetLeft - (strip.clientWidth - seat.offsetWidth) / 2 });
        }
    };
    root.addEventListener("table", show);
    show();
}
