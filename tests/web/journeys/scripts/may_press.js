// Returns a selector for each of these buttons whose form sends the command `kind`. The selectors use the button's name
// and value and the form's fields, so that they work after the page is rendered again. Buttons of forms with a text
// field are left out.
(buttons, kind) => {
    const line = "input:not([type=hidden], [type=radio], [type=checkbox])";
    const passing = "[name=id], [name=nonce_commitment]";
    const mayPress = (button) => button.form?.dataset.do === kind && button.type === "submit" && !button.disabled
        && button.checkVisibility({ visibilityProperty: true }) && !button.form.querySelector(line);
    const byValue = (one) => `[name="${CSS.escape(one.name)}"][value="${CSS.escape(one.getAttribute("value") ?? "")}"]`;
    const selector = (button) => {
        const sent = [...button.form.querySelectorAll("input[type=hidden]")].filter((one) => !one.matches(passing));
        const self = (button.id ? `#${CSS.escape(button.id)}` : "button") + (button.name ? byValue(button) : "");
        const form = `form[data-do="${kind}"]${sent.map((one) => `:has(${byValue(one)})`).join("")}`;
        return button.closest("form") ? `${form} ${self}` : self;
    };
    return buttons.filter(mayPress).map(selector);
}
