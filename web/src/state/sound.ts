/** Short sounds, made here by oscillators: no file is fetched. */
import { settings } from './settings.svelte';

export type Sound = 'move' | 'capture' | 'check' | 'end' | 'error' | 'low';

/** Frequencies in hertz, one after the other, and how long each lasts in seconds. */
const tunes: Record<Sound, { notes: number[]; seconds: number; shape: OscillatorType }> = {
  move: { notes: [330], seconds: 0.06, shape: 'square' },
  capture: { notes: [220, 165], seconds: 0.05, shape: 'square' },
  check: { notes: [660, 880], seconds: 0.07, shape: 'square' },
  end: { notes: [523, 392, 262], seconds: 0.14, shape: 'triangle' },
  low: { notes: [880, 880, 880], seconds: 0.09, shape: 'triangle' },
  error: { notes: [140], seconds: 0.16, shape: 'sawtooth' },
};

const loudness = 0.06;
let context: AudioContext | undefined;

export function play(sound: Sound): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  // Browsers keep sound back until the person has done something on the page.
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  const { notes, seconds, shape } = tunes[sound];
  notes.forEach((frequency, index) => {
    const start = (context?.currentTime ?? 0) + index * seconds;
    note(frequency, start, seconds, shape);
  });
}

function note(frequency: number, start: number, seconds: number, shape: OscillatorType): void {
  if (!context) return;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = shape;
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(loudness, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}
