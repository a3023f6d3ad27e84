// Counts the received pages in `window.pages`.
() => {
    window.pages = 0;
    document.querySelector("#live").addEventListener("table", () => { window.pages += 1; });
}
