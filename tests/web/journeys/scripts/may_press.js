// Which of these buttons do what `kind` names, as numbers. One beside a line to type in does nothing by itself.
(buttons, kind) => {
    const line = "input:not([type=hidden], [type=radio], [type=checkbox])";
    const mayPress = (button) => button.form?.dataset.do === kind && button.type === "submit" && !button.disabled
        && button.checkVisibility({ visibilityProperty: true }) && !button.form.querySelector(line);
    return buttons.flatMap((button, number) => (mayPress(button) ? [number] : []));
}
