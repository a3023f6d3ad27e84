// Which of these buttons do what `kind` names: for each a selector that finds it again, though the page around it is
// drawn anew, by its name and value and by what its form sends. One beside a line to type in does nothing by itself.
(buttons, kind) => {
    const line = "input:not([type=hidden], [type=radio], [type=checkbox])";
    const passing = "[name=id], [name=nonce_commitment]";
    const mayPress = (button) => button.form?.dataset.do === kind && button.type === "submit" && !button.disabled
        && button.checkVisibility({ visibilityProperty: true }) && !button.form.querySelector(line);
    const told = (one) => `[name="${CSS.escape(one.name)}"][value="${CSS.escape(one.getAttribute("value") ?? "")}"]`;
    const selector = (button) => {
        const sent = [...button.form.querySelectorAll("input[type=hidden]")].filter((one) => !one.matches(passing));
        const self = (button.id ? `#${CSS.escape(button.id)}` : "button") + (button.name ? told(button) : "");
        const form = `form[data-do="${kind}"]${sent.map((one) => `:has(${told(one)})`).join("")}`;
        return button.closest("form") ? `${form} ${self}` : self;
    };
    return buttons.filter(mayPress).map(selector);
}
