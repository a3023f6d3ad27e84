// Records the announcements of the live region in `window.heard`.
() => {
    const said = document.querySelector("#said");
    window.heard = [];
    new MutationObserver(() => window.heard.push(said.textContent))
        .observe(said, { childList: true, characterData: true, subtree: true });
}
