// A glance at a page: which state it is in, in a few words (what could look different is a different state), of which
// kind it is (states of one kind are laid out alike), and at a table its version, its stage, whether it is one's turn, and what could be done without a thought.
() => {
    const place = location.pathname.replace(/^\/t\/[^/]+/, "/t").split("/").slice(0, 3).join("/");
    const main = document.querySelector("main");
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    // A form may have no box of its own; whoever can reach something in it can use it.
    const usable = (form) => [...form.elements].some((one) => one.checkVisibility());
    const all = [...document.querySelectorAll("form[data-do], form[data-draft]")].filter(usable);
    const forms = new Set(all.map((form) => form.dataset.do ?? "draft"));
    const marks = [".turnflag", "#link", "[role=dialog]", "details[open]"].filter((mark) => shown(mark).length);
    const parts = shown("main section[id], main form[id], [popover]").map((part) => `#${part.id}`);
    const said = document.querySelector("#alert")?.textContent ? "alert" : "";
    const state = [place, main?.className ?? "", ...marks, ...parts, said, [...forms].sort().join("+")];
    const kind = [place + location.hash, main?.className ?? "", ...marks.filter((mark) => mark !== "details[open]"), said];
    const live = document.querySelector("#live");
    return {
        state: state.filter(Boolean).join(" "),
        kind: kind.filter(Boolean).join(" "),
        version: live ? Number(live.dataset.version) : -1,
        stage: ["waiting", "gathering", "round", "holds", "ended"].find((stage) => main?.classList.contains(stage)) ?? "",
        turn: document.querySelector(".turnflag") !== null,
        does: [...forms],
    };
}
