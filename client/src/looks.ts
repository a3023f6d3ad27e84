// Looks that are chosen take effect at once, and are kept in the background.

const ON_ROOT: Record<string, (root: HTMLElement, value: string) => void> = {
    theme: (root, value) => { if (value === "system") delete root.dataset["theme"]; else root.dataset["theme"] = value; },
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
        void keep(form, { theme: chosen.value });
        form.querySelector<HTMLElement>(`button:not([value=${chosen.value}])`)?.focus();
    });
    document.querySelector<HTMLFormElement>("form[data-looks]")?.addEventListener("change", (event) => {
        const input = event.target as HTMLInputElement;
        if (!input.form) return;
        apply(input.name, input.value);
        void keep(input.form, { [input.name]: input.value }).then((kept) => {
            const place = document.getElementById("saved");
            if (place) place.textContent = kept ? "✓ Kept." : "This could not be kept; try again in a moment.";
        });
    });
}

function apply(name: string, value: string): void {
    ON_ROOT[name]?.(document.documentElement, value);
}

async function keep(form: HTMLFormElement, values: Record<string, string>): Promise<boolean> {
    try {
        const response = await fetch(form.action, { method: "POST", body: new URLSearchParams(values), redirect: "manual" });
        return response.ok || response.type === "opaqueredirect";
    } catch {
        return false;
    }
}
