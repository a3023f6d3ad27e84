// The texts of this code, in the language of the page. English ones are the messages themselves.

const element = document.getElementById("words");
const words: Record<string, string> = element ? JSON.parse(element.textContent ?? "") : {};

/** Returns a message in the language of the page; `{name}` stands for the value of that name. */
export function _(message: string, values: Record<string, string | number> = {}): string {
    return (words[message] ?? message).replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name]));
}
