/** How the last match was set up, so that the next one is a click away. */
import type { NewRun } from '../api/client';
import { m } from '../text/catalogue.svelte';
import { writeSpec, type Spec } from './spec';

export interface Entrant {
  /** What it is called; empty is its spec. */
  name: string;
  spec: Spec | undefined;
}

/** How long players think: what is asked, and how much of it. */
export const paces = {
  tc: { value: '8+0.08' },
  movetime_ms: { value: '100' },
  nodes: { value: '10000' },
  depth: { value: '4' },
} as const;

export type Pace = keyof typeof paces;

export interface MatchSetup {
  name: string;
  players: Entrant[];
  gauntlet: boolean;
  /** Whether a sequential test decides when it is over. */
  tested: boolean;
  games: number;
  elo0: number;
  elo1: number;
  pace: Pace;
  amounts: Record<Pace, string>;
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
    pace: 'nodes',
    amounts: Object.fromEntries(
      Object.entries(paces).map(([pace, { value }]) => [pace, value]),
    ) as MatchSetup['amounts'],
    openings: 'built-in',
    seed: 1,
    concurrency: undefined,
  };
}

/** What the server is asked for. */
export function asked(setup: MatchSetup): NewRun {
  const amount = setup.amounts[setup.pace].trim();
  const number = Number(amount);
  if (setup.pace !== 'tc' && !(Number.isSafeInteger(number) && number > 0)) {
    throw new Error(m.arena.noNumber(amount, m.arena.units[setup.pace], paces[setup.pace].value));
  }
  const pace = setup.pace === 'tc' ? { tc: amount } : { [setup.pace]: number };
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
    ...pace,
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
    return { ...usual, ...stored, amounts: { ...usual.amounts, ...stored.amounts }, name: '' };
  } catch {
    return usualMatch();
  }
}

export function saveMatch(setup: MatchSetup): void {
  try {
    localStorage.setItem(key, JSON.stringify(setup));
  } catch {
    // Without storage the next match starts from the defaults.
  }
}
