// A link with a button that copies it. Where a page may not reach the clipboard, the link is marked, to be copied by hand.

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
        word.textContent = done ? "Copied" : "Press Ctrl+C";
        setTimeout(() => { word.textContent = "Copy"; }, 2500);
    }

    // Over plain HTTP from another machine there is no clipboard object, and the old way still works.
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
