// Two small sounds, only where somebody has asked for them: one when it is his turn, one when a hand is counted
// or a challenge is answered by the cards.

const TURN = [659, 880]; // Hz, one after the other
const COUNT = [440, 554, 659];
const NOTE = 0.14; // s

let context: AudioContext | undefined;
let heard = "";

export function listen(root: HTMLElement): void {
    heard = moment(root);
    root.addEventListener("table", () => {
        const now = moment(root);
        if (now === heard) return;
        heard = now;
        if (document.documentElement.dataset["sound"] !== "on" || !now) return;
        play(now.startsWith("turn") ? TURN : COUNT);
    });
}

function moment(root: HTMLElement): string {
    if (root.querySelector(".dock.turn")) return "turn";
    const shown = root.querySelector<HTMLElement>("[data-result]");
    return shown ? `shown ${shown.dataset["result"]}` : "";
}

function play(notes: number[]): void {
    context ??= new AudioContext();
    const start = context.currentTime;
    for (const [at, pitch] of notes.entries()) {
        const tone = new OscillatorNode(context, { type: "sine", frequency: pitch });
        const volume = new GainNode(context, { gain: 0 });
        const from = start + at * NOTE;
        volume.gain.setValueAtTime(0, from);
        volume.gain.linearRampToValueAtTime(0.08, from + 0.02);
        volume.gain.exponentialRampToValueAtTime(0.001, from + 2 * NOTE);
        tone.connect(volume).connect(context.destination);
        tone.start(from);
        tone.stop(from + 2 * NOTE);
    }
}
