// The page that verifies a closed table: derives every deal again with src/verify.mjs, which shares no code with the
// server, and shows the findings of each deal.

import { check } from "./verify.mjs";
import { _ } from "./words.ts";

interface Finding { what: string; deal: number | null }
interface Audit { audit?: unknown; deals?: unknown }

function show(place: HTMLElement, good: boolean | undefined, words: string, more: string): void {
    place.hidden = false;
    place.classList.toggle("good", good === true);
    place.classList.toggle("bad", good === false);
    const said = place.querySelector<HTMLElement>("[data-said]"), rest = place.querySelector<HTMLElement>("[data-more]");
    if (said) {
        const mark = document.createElement("span");
        mark.className = "mark-sign";
        mark.ariaHidden = "true";
        mark.textContent = good === undefined ? "…" : good ? "✓" : "✗";
        const text = document.createElement("b");
        text.textContent = words;
        said.replaceChildren(mark, text);
    }
    if (rest) rest.textContent = more;
}

function line(words: string, className = ""): HTMLElement {
    const place = document.createElement("p");
    place.className = className;
    place.textContent = words;
    return place;
}

// Shows the overall verdict, and returns the findings by deal.
function judge(audit: Audit, verdict: HTMLElement): Map<number | null, string[]> {
    const findings = check(audit) as Finding[];
    const wrong = new Map<number | null, string[]>();
    for (const { what, deal } of findings) wrong.set(deal, [...(wrong.get(deal) ?? []), what]);
    const deals = Array.isArray(audit.deals) ? audit.deals.length : 0;
    if (findings.length === 0) {
        const how = audit.audit === "full"
            ? _("All seeds and nonces match their commitments, every deal follows from them, and the records match the deals.")
            : _("All shown hands are proved against the commitments made before the deals.");
        show(verdict, true, deals === 1 ? _("Verified: 1 deal") : _("Verified: {count} deals", { count: deals }), how);
    } else {
        const count = findings.length;
        const errors = count === 1 ? _("1 error, listed with the deals.") : _("{count} errors, listed with the deals.", { count });
        show(verdict, false, _("Verification failed"), wrong.get(null)?.join(" ") ?? errors);
    }
    return wrong;
}

async function checkTable(page: HTMLElement, verdict: HTMLElement): Promise<void> {
    show(verdict, undefined, _("Checking …"), "");
    try {
        const answer = await fetch(page.dataset["audit"]!);
        if (!answer.ok) throw new Error(_("the server responded with status {status}", { status: answer.status }));
        const audit = await answer.json() as Audit;
        const wrong = judge(audit, verdict);
        for (const deal of page.querySelectorAll<HTMLDetailsElement>("[data-deal]")) {
            const faults = wrong.get(Number(deal.dataset["deal"])) ?? [];
            const here = deal.querySelector<HTMLElement>("[data-here]"), found = deal.querySelector<HTMLElement>("[data-found]");
            if (here) here.textContent = faults.length === 0 ? _("✓ verified by your browser") : _("✗ failed");
            deal.classList.toggle("faulty", faults.length > 0);
            if (faults.length > 0) deal.open = true;
            found?.replaceChildren(...faults.map((what) => line(what, "wrong")));
        }
    } catch (error) {
        show(verdict, false, _("The check couldn’t be completed"), error instanceof Error ? error.message : String(error));
    }
}

async function checkFile(file: File, verdict: HTMLElement, list: HTMLElement): Promise<void> {
    list.replaceChildren();
    show(verdict, undefined, _("Checking …"), file.name);
    let audit: Audit;
    try {
        audit = JSON.parse(await file.text()) as Audit;
    } catch {
        show(verdict, false, _("Not an audit document"), _("{file} is not JSON.", { file: file.name }));
        return;
    }
    const wrong = judge(audit, verdict);
    const deals = Array.isArray(audit.deals) ? audit.deals.length : 0;
    for (let number = 0; number < deals; number += 1) {
        const faults = wrong.get(number) ?? [];
        const item = document.createElement("li");
        item.append(line(faults.length === 0 ? _("Deal {number}: ✓ verified", { number: number + 1 }) : _("Deal {number}: ✗ failed", { number: number + 1 }), faults.length === 0 ? "" : "bad"));
        item.append(...faults.map((what) => line(what, "wrong")));
        list.append(item);
    }
}

const verdict = document.getElementById("verdict");
const page = document.querySelector<HTMLElement>("[data-audit]");
if (page && verdict) void checkTable(page, verdict);
const input = document.querySelector<HTMLInputElement>("#document"), list = document.getElementById("found");
if (input && list && verdict) {
    input.addEventListener("change", () => {
        const file = input.files?.[0];
        if (file) void checkFile(file, verdict, list);
    });
}
