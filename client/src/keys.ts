// Buttons with aria-keyshortcuts answer to their key anywhere on the page, except where somebody types.

export function listenForKeys(): void {
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.altKey || event.metaKey || typing(event.target)) return;
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

// Whether a key means something where it is pressed: somebody types there, or reads a list of keys.
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
