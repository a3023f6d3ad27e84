// Whether things may move: not where the system or the person has said that they should be still.

export function moves(): boolean {
    const still = document.documentElement.dataset["still"] !== undefined;
    return !still && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
