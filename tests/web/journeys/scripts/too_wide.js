// Returns the elements that end past the right edge of the window, unless they can be scrolled to inside the page, or are
// drawings: whether or not the page itself hides what is past its edge.
() => {
    const width = document.documentElement.clientWidth;
    const contained = (one) => {
        for (let box = one.parentElement; box && !box.matches("main, #live, body"); box = box.parentElement) {
            if (getComputedStyle(box).overflowX !== "visible" && box.getBoundingClientRect().right <= width + 0.5) return true;
        }
        return false;
    };
    const past = [...document.querySelectorAll("body *:not(svg *, svg)")]
        .map((one) => [one, one.getBoundingClientRect()])
        .filter(([one, box]) => box.right > width + 0.5 && box.width > 1 && one.checkVisibility() && !contained(one))
        .sort(([, a], [, b]) => b.right - a.right)
        .slice(0, 3)
        .map(([one, box]) => `${one.outerHTML.replace(/\s+/g, " ").replace(/\/t\/[\w-]{22}/g, "/t/ID").slice(0, 90)} ends at ${Math.round(box.right)}`);
    const scrolled = document.documentElement.scrollWidth;
    return scrolled > width ? [[`${scrolled} of ${width} px`, ...past].join("; ")] : past;
}
