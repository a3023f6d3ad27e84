// The chat: scrolls to the last message, and marks the icon if a message came while the chat was closed.

import { _ } from "./words.ts";

const KEY = "liarspoker-read:";

export function listenForChat(root: HTMLElement): void {
    const place = KEY + (root.dataset["live"] ?? "");
    let newest: string | undefined;
    let unread = false;
    const look = (event?: Event): void => {
        const chat = root.querySelector<HTMLElement>("#chat");
        const icon = root.querySelector<HTMLElement>("[data-unread]");
        if (!chat || !icon) return;
        // Checking whether the chat is open costs a layout, so do it only for new messages.
        if (event?.type !== "table" || newest !== chat.dataset["last"]) {
            newest = chat.dataset["last"];
            unread = read(chat, Number(newest));
        }
        icon.toggleAttribute("data-new", unread);
        if (unread) icon.setAttribute("aria-label", _("Chat, new messages"));
        else icon.removeAttribute("aria-label");
    };
    // Marks visible messages as read, and returns whether there are unread ones.
    const read = (chat: HTMLElement, last: number): boolean => {
        const open = chat.checkVisibility();
        const lines = chat.querySelector(".lines");
        if (open) sessionStorage.setItem(place, String(last));
        if (open && lines && lines.getAttribute("data-at") !== String(last)) {
            lines.setAttribute("data-at", String(last));
            lines.scrollTop = lines.scrollHeight;
        }
        return !open && last > Number(sessionStorage.getItem(place));
    };
    if (!sessionStorage.getItem(place)) sessionStorage.setItem(place, root.querySelector<HTMLElement>("#chat")?.dataset["last"] ?? "0");
    root.addEventListener("table", look);
    addEventListener("hashchange", look);
    look();
}

// Puts the emoji of the picker into the message. Arrow keys move between them, and Escape closes the picker.
export function listenForEmoji(root: HTMLElement): void {
    root.addEventListener("click", (event) => {
        const button = (event.target as Element).closest<HTMLButtonElement>(".emoji button");
        const line = button?.form?.querySelector<HTMLInputElement>("input[name=text]");
        if (!button || !line) return;
        event.preventDefault();
        line.setRangeText(button.value, line.selectionStart ?? 0, line.selectionEnd ?? 0, "end");
        shorten(line);
    });
    root.addEventListener("keydown", (event) => {
        const picker = (event.target as Element).closest<HTMLDetailsElement>(".emoji[open]");
        if (!picker) return;
        if (event.key === "Escape") {
            event.stopPropagation(); // the chat stays open
            picker.open = false;
            picker.querySelector("summary")?.focus();
            return;
        }
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const stops = [...picker.querySelectorAll<HTMLElement>("summary, button")];
        stops[(stops.indexOf(event.target as HTMLElement) + step + stops.length) % stops.length]?.focus();
    });
    root.addEventListener("input", (event) => {
        if (event.target instanceof HTMLInputElement) shorten(event.target);
    });
}

// Cuts a message off at its limit, which counts an emoji as one character, unlike the attribute maxlength.
function shorten(line: HTMLInputElement): void {
    const most = Number(line.dataset["most"]);
    if (!most || line.value.length <= most) return;
    const characters = [...new Intl.Segmenter().segment(line.value)];
    if (characters.length > most) line.value = characters.slice(0, most).map((one) => one.segment).join("");
}

// A sheet is open while the URL's fragment names it. Escape, a second click on its link, or a click outside closes it.
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
