// What makes the page wider than its window: the elements that reach furthest, or nothing.
() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const past = [...document.querySelectorAll("body *")]
        .map((one) => [one, one.getBoundingClientRect().right])
        .filter(([one, right]) => right > width + 0.5 && one.checkVisibility())
        .sort(([, a], [, b]) => b - a)
        .slice(0, 3);
    const scrolls = `${document.documentElement.scrollWidth} of ${width} px`;
    return [[scrolls, ...past.map(([one, right]) => `${one.outerHTML.replace(/\s+/g, " ").replace(/\/t\/[\w-]{22}/g, "/t/ID").slice(0, 90)} ends at ${Math.round(right)}`)].join("; ")];
}
