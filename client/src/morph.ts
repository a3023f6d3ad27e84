// Puts new HTML in the place of old without disturbing what a person is doing there.
//
// data-same="key"  while old and new have the same key, the old part stays as it is: what is chosen in it,
//                  and a movement that is under way
// data-keep        stays for good, such as a line that somebody is typing
// aria-busy        a form that was sent stays so until whoever sent it says otherwise

import { Idiomorph } from "idiomorph";
import { occupied } from "./keys.ts";

const DRAFTS = "form[data-draft], [data-drafted]";

// With `drafting`, what somebody is putting together stays as it is: the page that shows his last step is on its way.
export function morph(root: HTMLElement, html: string, drafting = false): void {
    Idiomorph.morph(root, html, {
        morphStyle: "innerHTML",
        ignoreActiveValue: occupied(document.activeElement), // else a button that was pressed would keep its words
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
}
