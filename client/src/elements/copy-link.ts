// A link with a button that copies it. Without access to the clipboard, the link is selected so that the user can copy it.

import { _ } from "../words.ts";

class CopyLink extends HTMLElement {
    connectedCallback(): void {
        const button = this.querySelector("button");
        if (!button) return;
        button.hidden = false;
        button.onclick = () => void this.copy(button);
    }

    private async copy(button: HTMLButtonElement): Promise<void> {
        const input = this.querySelector("input");
        if (!input) return;
        input.select();
        const done = await this.toClipboard(input.value);
        const word = button.querySelector("[data-word]") ?? button;
        word.textContent = done ? _("Copied") : _("Press Ctrl+C");
        setTimeout(() => { word.textContent = _("Copy"); }, 2500);
    }

    // Pages loaded over plain HTTP from another machine have no clipboard object, but execCommand still works.
    private async toClipboard(text: string): Promise<boolean> {
        try {
            await navigator.clipboard.writeText(text);
            return true;
        } catch {
            return document.execCommand("copy");
        }
    }
}

customElements.define("copy-link", CopyLink);
