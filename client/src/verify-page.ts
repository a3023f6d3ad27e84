// The page that checks a finished table: it derives every deal again by src/verify.mjs, which shares nothing with the
// server, and says deal by deal what it found.

import { check } from "./verify.mjs";

interface Finding { what: string; deal: number | null }
interface Audit { audit?: unknown; deals?: unknown }

function say(place: HTMLElement, good: boolean | undefined, words: string, more: string): void {
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

function count(deals: number): string {
    return deals === 1 ? "one deal" : `${deals} deals`;
}

// What was found, in a sentence for the whole, and a list for each deal.
function judge(audit: Audit, verdict: HTMLElement): Map<number | null, string[]> {
    const findings = check(audit) as Finding[];
    const wrong = new Map<number | null, string[]>();
    for (const { what, deal } of findings) wrong.set(deal, [...(wrong.get(deal) ?? []), what]);
    const deals = Array.isArray(audit.deals) ? audit.deals.length : 0;
    if (findings.length === 0) {
        const how = audit.audit === "full"
            ? "Every seed and every nonce is what had been promised, every deal follows from them, and the records show what was dealt."
            : "Everything that the rules have shown is proved against what had been published before.";
        say(verdict, true, `Checked: ${count(deals)}, and all of it holds`, how);
    } else {
        say(verdict, false, "Not as promised", (wrong.get(null) ?? [`${findings.length} found wrong, told below at each deal.`]).join(" "));
    }
    return wrong;
}

async function checkTable(page: HTMLElement, verdict: HTMLElement): Promise<void> {
    say(verdict, undefined, "Checking …", "");
    try {
        const answer = await fetch(page.dataset["audit"]!);
        if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
        const audit = await answer.json() as Audit;
        const wrong = judge(audit, verdict);
        for (const deal of page.querySelectorAll<HTMLDetailsElement>("[data-deal]")) {
            const faults = wrong.get(Number(deal.dataset["deal"])) ?? [];
            const here = deal.querySelector<HTMLElement>("[data-here]"), found = deal.querySelector<HTMLElement>("[data-found]");
            if (here) here.textContent = faults.length === 0 ? "✓ your browser finds it good" : "✗ not as promised";
            deal.classList.toggle("faulty", faults.length > 0);
            if (faults.length > 0) deal.open = true;
            found?.replaceChildren(...faults.map((what) => line(what, "wrong")));
        }
    } catch (error) {
        say(verdict, false, "The check did not come to an end", error instanceof Error ? error.message : String(error));
    }
}

async function checkFile(file: File, verdict: HTMLElement, list: HTMLElement): Promise<void> {
    list.replaceChildren();
    say(verdict, undefined, "Checking …", file.name);
    let audit: Audit;
    try {
        audit = JSON.parse(await file.text()) as Audit;
    } catch {
        say(verdict, false, "This is no audit document", `${file.name} is not JSON.`);
        return;
    }
    const wrong = judge(audit, verdict);
    const deals = Array.isArray(audit.deals) ? audit.deals.length : 0;
    for (let number = 0; number < deals; number += 1) {
        const faults = wrong.get(number) ?? [];
        const item = document.createElement("li");
        item.append(line(`Deal ${number + 1}: ${faults.length === 0 ? "✓ holds" : "✗ not as promised"}`, faults.length === 0 ? "" : "bad"));
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
