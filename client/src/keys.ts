// Pressing the key of a button with aria-keyshortcuts clicks it, except while the user is typing. The key ? opens and closes
// the list of shortcuts.

export function listenForKeys(): void {
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || typing(event.target)) return;
        if (event.key === "?") document.getElementById("keys")?.togglePopover();
        const key = event.key === "Enter" && onControl(event.target) ? "" : event.key;
        for (const button of document.querySelectorAll<HTMLElement>("[aria-keyshortcuts]")) {
            if (button.getAttribute("aria-keyshortcuts") === key && button.checkVisibility()) {
                event.preventDefault();
                button.click();
                return;
            }
        }
    });
}

// Whether the focused element uses keys itself: a text field, or the list of shortcuts.
export function occupied(target: EventTarget | null): boolean {
    return typing(target) || (target instanceof HTMLElement && target.closest("[popover], summary") !== null);
}

function typing(target: EventTarget | null): boolean {
    return target instanceof HTMLTextAreaElement
        || (target instanceof HTMLInputElement && !["radio", "checkbox"].includes(target.type))
        || target instanceof HTMLSelectElement;
}

function onControl(target: EventTarget | null): boolean {
    return target instanceof HTMLElement && target.closest("a, button, summary") !== null;
}
