/** How a game is set up: remembered, so that the next one is a click away. */
import { levels } from './levels';
import type { Spec } from './spec';

export const colors = ['white', 'random', 'black'] as const;
export type ColorChoice = (typeof colors)[number];

/** The first screen's choices: an opponent of a level, one's own colour, the clock. */
export interface QuickSetup {
  /** The key of a level. */
  level: string;
  color: ColorChoice;
  /** A name in `clocks`. */
  clock: string;
}

/** Any two players, any start. */
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

/** By name; "none" is no clock. */
export const clocks: Record<string, ClockSetting | undefined> = {
  none: undefined,
  '1+0': minutes(1, 0),
  '3+2': minutes(3, 2),
  '5+3': minutes(5, 3),
  '10+5': minutes(10, 5),
  '15+10': minutes(15, 10),
  '30+20': minutes(30, 20),
};

const key = 'tabia.setup';
const quickKey = 'tabia.quick';

function read<Value>(from: string): Partial<Value> {
  try {
    return (JSON.parse(localStorage.getItem(from) ?? '{}') ?? {}) as Partial<Value>;
  } catch {
    return {};
  }
}

function write(to: string, value: unknown): void {
  try {
    localStorage.setItem(to, JSON.stringify(value));
  } catch {
    // Without storage the next game starts from the defaults.
  }
}

const knownClock = (name: string | undefined): string =>
  name !== undefined && name in clocks ? name : 'none';

export function loadQuick(): QuickSetup {
  const stored = read<QuickSetup>(quickKey);
  return {
    level: levels.find((level) => level.key === stored.level)?.key ?? 'casual',
    color: colors.find((color) => color === stored.color) ?? 'white',
    clock: knownClock(stored.clock),
  };
}

export const saveQuick = (setup: QuickSetup): void => write(quickKey, setup);

export function loadSetup(): Setup {
  const stored = read<Setup>(key);
  const known = Object.keys(stored).length > 0;
  return {
    white: stored.white,
    black: known ? stored.black : { name: 'engine', options: {} },
    clock: knownClock(stored.clock),
    seconds: stored.seconds ?? 1,
    shuffled: stored.shuffled ?? false,
    number: stored.number,
  };
}

export const saveSetup = (setup: Setup): void => write(key, setup);
