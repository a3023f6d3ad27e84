// Counts in `window.pages` how often a whole table has come down since.
() => {
    window.pages = 0;
    document.querySelector("#live").addEventListener("table", () => { window.pages += 1; });
}
