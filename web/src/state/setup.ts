/** How a game is set up: remembered, so that the next one is a click away. */
import type { Spec } from './spec';

export interface Setup {
  /** Undefined is a person. */
  white: Spec | undefined;
  black: Spec | undefined;
  /** A name in `clocks`. */
  clock: string;
  /** Seconds a move that agents have when there is no clock. */
  seconds: number;
  /** Whether the pieces behind the pawns stand anyhow, and the number of how; empty is any. */
  shuffled: boolean;
  number: number | undefined;
}

interface ClockSetting {
  initial_ms: number;
  increment_ms: number;
}

const minutes = (count: number, seconds: number): ClockSetting => ({
  initial_ms: count * 60_000,
  increment_ms: seconds * 1000,
});

export const clocks: Record<string, ClockSetting | undefined> = {
  'no clock': undefined,
  '1+0': minutes(1, 0),
  '3+2': minutes(3, 2),
  '5+3': minutes(5, 3),
  '10+5': minutes(10, 5),
  '15+10': minutes(15, 10),
  '30+20': minutes(30, 20),
};

const key = 'tabia.setup';

export function loadSetup(): Setup {
  const setup: Setup = {
    white: undefined,
    black: { name: 'axiomx', options: {} },
    clock: 'no clock',
    seconds: 1,
    shuffled: false,
    number: undefined,
  };
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<Setup> | null;
    if (!stored) return setup;
    const known = stored.clock !== undefined && stored.clock in clocks;
    return {
      white: stored.white,
      black: stored.black,
      clock: known ? (stored.clock ?? setup.clock) : setup.clock,
      seconds: stored.seconds ?? setup.seconds,
      shuffled: stored.shuffled ?? setup.shuffled,
      number: stored.number,
    };
  } catch {
    return setup;
  }
}

export function saveSetup(setup: Setup): void {
  try {
    localStorage.setItem(key, JSON.stringify(setup));
  } catch {
    // Without storage the next game starts from the defaults.
  }
}
