// Describes a page: its state in a few words (states that can look different are different), its kind (states of one
// kind have the same layout), and for a table its version, stage, whether it is the user's turn, and the possible commands.
() => {
    const place = location.pathname.replace(/^\/t\/[^/]+/, "/t").split("/").slice(0, 3).join("/");
    const main = document.querySelector("main");
    const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    // A form without a box counts as visible if one of its controls is.
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
