// Morphs new HTML into the page without disturbing what the user is doing.
//
// data-same="key"  an element whose key doesn't change is left alone, with its selections and running animations
// data-keep="key"  an element that is always left alone while its key is the same, such as a text field in use
// aria-busy        set on a form that was sent, and its button; only the sender removes it

import { Idiomorph } from "idiomorph";
import { occupied } from "./keys.ts";

const DRAFTS = "form[data-draft], [data-drafted]";

// With `drafting`, draft forms are left alone, since the page with the latest draft hasn't arrived yet.
export function morph(root: HTMLElement, html: string, drafting = false): void {
    const focused = root.contains(document.activeElement);
    Idiomorph.morph(root, html, {
        morphStyle: "innerHTML",
        ignoreActiveValue: occupied(document.activeElement), // otherwise a focused button would keep its old text
        callbacks: {
            beforeNodeMorphed: (before: Node, after: Node): boolean => {
                if (!(before instanceof HTMLElement) || !(after instanceof HTMLElement)) return true;
                if (drafting && before.matches(DRAFTS) && after.matches(DRAFTS)) return false;
                if (before.dataset["keep"] !== undefined) return before.dataset["keep"] !== after.dataset["keep"];
                return before.dataset["same"] === undefined || before.dataset["same"] !== after.dataset["same"];
            },
            beforeAttributeUpdated: (name: string): boolean => name !== "aria-busy",
        },
    });
    // The button that was pressed may be gone: the keyboard goes on at the dock, not at the top of the page.
    if (focused && !root.contains(document.activeElement)) root.querySelector<HTMLElement>("#said")?.focus({ preventScroll: true });
}
