// Sounds made of a few tones, so that nothing has to be loaded. Silent until somebody turns them on.

export type Sound = "place" | "turn" | "bonus" | "over";

interface Tone {
  /** In hertz. */
  pitch: number;
  /** When it starts and how long it rings, in seconds. */
  at: number;
  rings: number;
  loud: number;
  shape: OscillatorType;
}

const SOUNDS: Record<Sound, readonly Tone[]> = {
  // A wooden click.
  place: [
    { pitch: 190, at: 0, rings: 0.07, loud: 0.35, shape: "triangle" },
    { pitch: 95, at: 0, rings: 0.1, loud: 0.3, shape: "sine" },
  ],
  // Two soft bells, rising.
  turn: [
    { pitch: 587, at: 0, rings: 0.35, loud: 0.16, shape: "sine" },
    { pitch: 880, at: 0.13, rings: 0.5, loud: 0.16, shape: "sine" },
  ],
  // "Ge-ni-al!": two quick notes, then a bright chord that rings.
  bonus: [
    { pitch: 523, at: 0, rings: 0.18, loud: 0.16, shape: "triangle" },
    { pitch: 659, at: 0.11, rings: 0.18, loud: 0.16, shape: "triangle" },
    ...[784, 1047, 1319].map((pitch) => ({ pitch, at: 0.22, rings: 0.9, loud: 0.09, shape: "triangle" as const })),
  ],
  over: [784, 659, 523].map((pitch, n) => ({ pitch, at: 0.18 * n, rings: 0.7, loud: 0.15, shape: "sine" })),
};

let context: AudioContext | null = null;

/** Play a sound, if the browser can and permits it. */
export function playSound(sound: Sound): void {
  if (typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  // Browsers stay silent until the page has been touched, and so do we.
  if (context.state === "suspended") void context.resume();
  for (const tone of SOUNDS[sound]) ring(context, tone);
}

function ring(on: AudioContext, { pitch, at, rings, loud, shape }: Tone): void {
  const start = on.currentTime + at;
  const source = new OscillatorNode(on, { type: shape, frequency: pitch });
  const volume = new GainNode(on, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud, start + 0.006);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + rings);
  source.connect(volume).connect(on.destination);
  source.start(start);
  source.stop(start + rings);
}
