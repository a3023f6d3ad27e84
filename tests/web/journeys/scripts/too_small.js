// Returns enabled controls smaller than 44 x 44 px, with their sizes.
() => {
    const least = 43.5;
    // Links inside a sentence are exempt.
    const inText = (one) => one.matches("a") && getComputedStyle(one).display === "inline"
        && [...one.parentElement.childNodes].some((near) => near.nodeType === Node.TEXT_NODE && near.textContent.trim());
    // Controls that are clipped or moved off the page appear in full size on focus.
    const hidden = (box) => box.width <= 1 || box.height <= 1 || box.bottom + scrollY <= 0 || box.right <= 0;
    // An invisible overlay can make a control larger than it looks.
    const reach = (part) => {
        const { left, top, width, height, right, bottom } = part.getBoundingClientRect();
        const over = getComputedStyle(part, "::after");
        const more = (side) => (over.content !== "none" && over.position === "absolute" ? Math.max(0, -parseFloat(over[side])) : 0);
        return {
            right, bottom, left, top,
            width: width + (more("left") + more("right") || 0),
            height: height + (more("top") + more("bottom") || 0),
        };
    };
    // Labels belong to what they label: a press on one is a press on the other.
    const boxes = (one) => [one, ...(one.labels ?? [])].map(reach);
    const size = (one) => {
        const all = boxes(one).filter((box) => !hidden(box));
        if (!all.length) return undefined;
        return [Math.max(...all.map((box) => box.width)), Math.max(...all.map((box) => box.height))];
    };
    const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button]";
    return [...document.querySelectorAll(controls)]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !inText(one) && !one.disabled)
        .map((one) => [one, size(one)])
        .filter(([, box]) => box && (box[0] < least || box[1] < least))
        .map(([one, box]) => `${one.outerHTML.replace(/\s+/g, " ").replace(/\/t\/[\w-]{22}/g, "/t/ID").slice(0, 90)} is ${box.map(Math.round).join(" x ")}`);
}
