// The chat: the last line stays in sight, and the icon tells that something was said while the chat was closed.

const KEY = "liarspoker-heard:";

export function listenForChat(root: HTMLElement): void {
    const place = KEY + (root.dataset["live"] ?? "");
    let heard: string | undefined;
    let unread = false;
    const look = (event?: Event): void => {
        const chat = root.querySelector<HTMLElement>("#chat");
        const icon = root.querySelector<HTMLElement>("[data-unread]");
        if (!chat || !icon) return;
        // Whether the chat is open costs a layout to find out; while nobody speaks, nothing depends on it.
        if (event?.type !== "table" || heard !== chat.dataset["heard"]) {
            heard = chat.dataset["heard"];
            unread = hear(chat, Number(heard));
        }
        icon.toggleAttribute("data-new", unread);
        if (unread) icon.setAttribute("aria-label", "Chat, something new was said");
        else icon.removeAttribute("aria-label");
    };
    // Whether something was said that has not been in sight.
    const hear = (chat: HTMLElement, last: number): boolean => {
        const open = chat.checkVisibility();
        const lines = chat.querySelector(".lines");
        if (open) sessionStorage.setItem(place, String(last));
        if (open && lines && lines.getAttribute("data-at") !== String(last)) {
            lines.setAttribute("data-at", String(last));
            lines.scrollTop = lines.scrollHeight;
        }
        return !open && last > Number(sessionStorage.getItem(place));
    };
    if (!sessionStorage.getItem(place)) sessionStorage.setItem(place, root.querySelector<HTMLElement>("#chat")?.dataset["heard"] ?? "0");
    root.addEventListener("table", look);
    addEventListener("hashchange", look);
    look();
}

// Sheets are places of the page's own address: Escape, a second click on what opened one, or a click beside it closes it.
export function listenForSheets(): void {
    const close = (): void => {
        if (document.querySelector(".sheet:target")) location.hash = "main";
    };
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
    document.addEventListener("click", (event) => {
        const target = event.target as HTMLElement;
        const opener = target.closest<HTMLAnchorElement>("nav a[href^='#']");
        const open = document.querySelector<HTMLElement>(".sheet:target");
        if (opener && open && opener.hash === `#${open.id}`) {
            event.preventDefault();
            close();
        } else if (open && !opener && target.closest("#live") && !target.closest(".sheet, .dock, a, button, summary")) {
            close();
        }
    });
}
