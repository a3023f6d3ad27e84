// Whether animations are on: neither the system nor the user's settings disable them.

export function moves(): boolean {
    const still = document.documentElement.dataset["still"] !== undefined;
    return !still && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
