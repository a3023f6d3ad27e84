// The sounds of a table, made from a few oscillators and a burst of noise. Browsers allow sound only after the person
// has touched the page, so the audio starts with the first gesture.

import { changeOf, type Glimpse } from "./moments.ts";
import { revealTimes } from "./reveal.ts";

const LOUDNESS: Record<string, number> = { quiet: 0.3, on: 1, loud: 2.4 }; // by the setting

// A tone, or noise through a filter, that fades out. Frequencies are in Hz and times in seconds.
interface Tone {
    readonly at: number;
    readonly pitch: number;
    readonly to?: number; // the pitch at the end, if it glides
    readonly length: number;
    readonly gain: number;
    readonly shape: OscillatorType | "noise";
}

const tones = (shape: Tone["shape"], gain: number, length: number, step: number, ...pitches: number[]): Tone[] =>
    pitches.map((pitch, index) => ({ at: index * step, pitch, length, gain, shape }));

const SOUNDS = {
    deal: tones("noise", 0.16, 0.07, 0.08, 2600, 3100, 2400, 2900), // notes being laid down
    bid: [
        ...tones("triangle", 0.1, 0.07, 0.05, 1870, 2490), // two chips
        ...tones("noise", 0.05, 0.02, 0.05, 5200, 5200),
    ],
    challenge: [ // two knocks on the table
        ...tones("sine", 0.34, 0.13, 0.15, 150, 128).map((tone) => ({ ...tone, to: tone.pitch * 0.6 })),
        ...tones("noise", 0.12, 0.04, 0.15, 620, 560),
    ],
    turn: tones("sine", 0.09, 0.28, 0.14, 659, 880),
    tick: tones("triangle", 0.11, 0.06, 0, 990),
    win: tones("triangle", 0.085, 0.34, 0.1, 523, 659, 784, 1047),
    loss: tones("triangle", 0.085, 0.42, 0.16, 392, 330, 262),
    even: tones("sine", 0.08, 0.26, 0.14, 523, 523),
} as const satisfies Record<string, readonly Tone[]>;

const AFTERWARDS = 0.3; // s between the sound of an action and the one that says it's your turn

let context: AudioContext | undefined;
let noise: AudioBuffer | undefined;
let ticking: GainNode | undefined; // the ticks of a count, silenced if it is skipped

export function listenForSounds(root: HTMLElement): void {
    const unlock = (): void => {
        if (loudness() > 0) context ??= new AudioContext();
    };
    for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, unlock, { passive: true });
    const changed = changeOf(root);
    root.addEventListener("table", () => {
        const [before, now] = changed();
        if (context && loudness() > 0) sound(before, now);
    });
}

function sound(before: Glimpse, now: Glimpse): void {
    const acted = now.deal === before.deal && now.actions > before.actions;
    const dealt = now.deal !== before.deal && now.stage === "round";
    if (dealt) play("deal");
    else if (acted) play(now.action === "challenge" ? "challenge" : "bid");
    if (now.turn && !before.turn) play("turn", dealt || acted ? AFTERWARDS : 0);
    if (now.revealing !== before.revealing) {
        ticking?.disconnect();
        ticking = undefined;
        if (now.revealing) for (const at of revealTimes()) ticking = play("tick", at, ticking);
    }
    if (now.outcome && !before.outcome) play(now.outcome);
}

function loudness(): number {
    return LOUDNESS[document.documentElement.dataset["sound"] ?? ""] ?? 0;
}

// Plays a sound after `delay` seconds, through `output` or a new output, which it returns.
function play(name: keyof typeof SOUNDS, delay = 0, output?: GainNode): GainNode {
    const audio = context!;
    const master = output ?? new GainNode(audio, { gain: loudness() });
    master.connect(audio.destination);
    for (const tone of SOUNDS[name]) ring(audio, master, tone as Tone, audio.currentTime + delay + tone.at);
    return master;
}

function ring(audio: AudioContext, output: AudioNode, tone: Tone, from: number): void {
    const envelope = new GainNode(audio, { gain: 0 });
    envelope.gain.setValueAtTime(0, from);
    envelope.gain.linearRampToValueAtTime(tone.gain, from + Math.min(0.015, tone.length / 4));
    envelope.gain.exponentialRampToValueAtTime(0.0005, from + tone.length);
    envelope.connect(output);
    const source = tone.shape === "noise" ? rustle(audio, tone.pitch, envelope) : oscillate(audio, tone, tone.shape, from, envelope);
    source.start(from);
    source.stop(from + tone.length);
}

function oscillate(audio: AudioContext, tone: Tone, type: OscillatorType, from: number, output: AudioNode): OscillatorNode {
    const source = new OscillatorNode(audio, { type, frequency: tone.pitch });
    if (tone.to) source.frequency.exponentialRampToValueAtTime(tone.to, from + tone.length);
    source.connect(output);
    return source;
}

function rustle(audio: AudioContext, frequency: number, output: AudioNode): AudioBufferSourceNode {
    if (!noise) {
        noise = new AudioBuffer({ length: audio.sampleRate / 4, sampleRate: audio.sampleRate });
        noise.getChannelData(0).forEach((_, index, samples) => { samples[index] = 2 * Math.random() - 1; });
    }
    const source = new AudioBufferSourceNode(audio, { buffer: noise });
    source.connect(new BiquadFilterNode(audio, { type: "bandpass", frequency, Q: 1.2 })).connect(output);
    return source;
}
