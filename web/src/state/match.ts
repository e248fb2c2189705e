/** How a match is set up: kept while it is typed, and afterwards, so that the next one is a click away. */
import type { NewRun } from '../api/client';
import { m } from '../text/catalogue.svelte';
import { writeSpec, type Spec } from './spec';

export interface Entrant {
  /** What it is called; empty is its spec. */
  name: string;
  spec: Spec | undefined;
}

/** Time controls, with their default values. */
export const timeControls = {
  tc: { value: '8+0.08' },
  movetime_ms: { value: '100' },
  nodes: { value: '10000' },
  depth: { value: '4' },
} as const;

export type TimeControl = keyof typeof timeControls;

export interface MatchSetup {
  name: string;
  players: Entrant[];
  gauntlet: boolean;
  /** Whether a sequential test decides when it is over. */
  tested: boolean;
  games: number;
  elo0: number;
  elo1: number;
  timeControl: TimeControl;
  amounts: Record<TimeControl, string>;
  openings: 'built-in' | 'startpos';
  seed: number;
  /** Empty is as many as the machine can. */
  concurrency: number | undefined;
}

/** As many as a match takes. */
export const mostPlayers = 16;

const key = 'tabia.match';

export function usualMatch(): MatchSetup {
  return {
    name: '',
    players: ['engine', 'axiomx'].map((name) => ({ name: '', spec: { name, options: {} } })),
    gauntlet: false,
    tested: false,
    games: 100,
    elo0: 0,
    elo1: 5,
    timeControl: 'nodes',
    amounts: Object.fromEntries(
      Object.entries(timeControls).map(([timeControl, { value }]) => [timeControl, value]),
    ) as MatchSetup['amounts'],
    openings: 'built-in',
    seed: 1,
    concurrency: undefined,
  };
}

/** The request that starts the match. */
export function matchRequest(setup: MatchSetup): NewRun {
  const amount = setup.amounts[setup.timeControl].trim();
  const number = Number(amount);
  if (setup.timeControl !== 'tc' && !(Number.isSafeInteger(number) && number > 0)) {
    throw new Error(
      m.arena.noNumber(amount, m.arena.units[setup.timeControl], timeControls[setup.timeControl].value),
    );
  }
  const timeControl = setup.timeControl === 'tc' ? { tc: amount } : { [setup.timeControl]: number };
  const test = setup.tested && setup.players.length === 2;
  return {
    kind: 'match',
    agents: setup.players.map(({ name, spec }) => {
      const written = spec ? writeSpec(spec) : '';
      return name.trim() ? `${name.trim()}=${written}` : written;
    }),
    gauntlet: setup.gauntlet && setup.players.length > 2,
    openings: setup.openings,
    seed: setup.seed,
    ...timeControl,
    ...(test ? { sprt: [setup.elo0, setup.elo1] } : { games: setup.games }),
    // A run's name is the name of a folder: no spaces.
    ...(setup.name.trim() ? { name: setup.name.trim().replace(/\s+/g, '-') } : {}),
    ...(setup.concurrency ? { concurrency: setup.concurrency } : {}),
  };
}

export function loadMatch(): MatchSetup {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? 'null') as Partial<MatchSetup> | null;
    const usual = usualMatch();
    if (!stored || !Array.isArray(stored.players) || stored.players.length < 2) return usual;
    return { ...usual, ...stored, amounts: { ...usual.amounts, ...stored.amounts } };
  } catch {
    return usualMatch();
  }
}

export function saveMatch(setup: MatchSetup): void {
  try {
    localStorage.setItem(key, JSON.stringify(setup));
  } catch {
    // Without storage the next form starts from the defaults.
  }
}
