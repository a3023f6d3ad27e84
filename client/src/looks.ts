import { _ } from "./words.ts";

// Applies changed settings immediately and saves them in the background.

const ON_ROOT: Record<string, (root: HTMLElement, value: string) => void> = {
    theme: (root, value) => { if (value === "system") delete root.dataset["theme"]; else root.dataset["theme"] = value; },
    colours: (root, value) => { root.dataset["colours"] = value; },
    text: (root, value) => { root.dataset["text"] = value; },
    deck: (root, value) => { root.dataset["deck"] = value; },
    motion: (root, value) => { root.toggleAttribute("data-still", value === "still"); },
    sound: (root, value) => { root.dataset["sound"] = value; },
    hand: (root, value) => { root.dataset["hand"] = value; },
};

export function listenForLooks(): void {
    document.addEventListener("submit", (event) => {
        const form = event.target as HTMLFormElement;
        const chosen = event.submitter as HTMLButtonElement | null;
        if (form.dataset["themeSwitch"] === undefined || !chosen) return;
        event.preventDefault();
        apply("theme", chosen.value);
        void save(form, { theme: chosen.value });
        form.querySelector<HTMLElement>(`button:not([value=${chosen.value}])`)?.focus();
    });
    document.addEventListener("change", (event) => {
        const input = event.target as HTMLInputElement;
        if (input.form?.dataset["looks"] === undefined) return;
        apply(input.name, input.value);
        void save(input.form, { [input.name]: input.value }).then((saved) => {
            if (saved && input.name === "language") location.reload();
            const place = document.getElementById("saved");
            if (place) place.textContent = saved ? _("✓ Saved.") : _("Not saved. Try again in a moment.");
        });
    });
}

function apply(name: string, value: string): void {
    ON_ROOT[name]?.(document.documentElement, value);
}

async function save(form: HTMLFormElement, values: Record<string, string>): Promise<boolean> {
    try {
        const response = await fetch(form.action, { method: "POST", body: new URLSearchParams(values), redirect: "manual" });
        return response.ok || response.type === "opaqueredirect";
    } catch {
        return false;
    }
}
