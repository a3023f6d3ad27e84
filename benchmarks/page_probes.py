"""What `bench_pages.py` runs inside a page. The page's own clock is used, so no time of the test driver is included."""

# Records the page's sockets, so that they can be closed, and the time at which the table was first connected.
BEFORE = """(() => {
    const Plain = WebSocket;
    window.sockets = [];
    window.WebSocket = class extends Plain {
        constructor(...given) { super(...given); window.sockets.push(this); }
    };
    addEventListener("table", () => { window.usable ??= performance.now(); }, true);
})()"""

USABLE = "() => window.usable"

# Clicks an available action a number of times, and skips counts; returns the milliseconds from each click until the
# page shows a later version.
CLICKS = """async (count) => {
    const live = document.querySelector("#live");
    const version = () => Number(live.dataset.version);
    const later = () => new Promise((done) => live.addEventListener("table", done, { once: true }));
    const offered = () => [...document.querySelectorAll(
        "form[data-do=act] button, form[data-do=ready] button, form[data-do=pick] button",
    )].filter((button) => !button.disabled && button.checkVisibility());
    const took = [];
    for (let n = 0; took.length < count; n += 1) {
        const buttons = offered();
        const skip = document.querySelector("[data-skip]");
        if (!buttons.length && skip?.checkVisibility()) {
            skip.click();
            await new Promise(requestAnimationFrame);
            continue;
        }
        if (!buttons.length) { await later(); continue; }
        const before = version();
        const began = performance.now();
        buttons[n % buttons.length].click();
        do await later(); while (version() <= before);
        took.push(performance.now() - began);
    }
    return took;
}"""

# Closes the page's socket a number of times; returns the milliseconds from each close until the table has been received
# again.
RESYNCS = """async (count) => {
    const live = document.querySelector("#live");
    const took = [];
    for (let n = 0; n < count; n += 1) {
        const again = new Promise((done) => live.addEventListener("table", done, { once: true }));
        const began = performance.now();
        window.sockets.at(-1).close();
        await again;
        took.push(performance.now() - began);
    }
    return took;
}"""

# Records when the page next shows a table, by the system's clock, so that pages can be compared.
EXPECT = """() => {
    window.shown = undefined;
    document.querySelector("#live").addEventListener(
        "table", () => { window.shown = performance.timeOrigin + performance.now(); }, { once: true });
}"""
SHOWN = "() => window.shown"

# Does something that all players can see; returns the time by the system's clock.
SHOW = """() => {
    const button = [...document.querySelectorAll("form[data-do] button")].find(
        (one) => ["act", "ready", "pick"].includes(one.closest("form").dataset.do) && one.checkVisibility());
    button.click();
    return performance.timeOrigin + performance.now();
}"""
