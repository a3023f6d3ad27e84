// Writes down whatever the live region says from now on, as a screen reader would read it out.
() => {
    const said = document.querySelector("#said");
    window.heard = [];
    new MutationObserver(() => window.heard.push(said.textContent))
        .observe(said, { childList: true, characterData: true, subtree: true });
}
