/** What a run's numbers say: results and metrics are plain JSON of many kinds, read here with care. */

export type Json = Record<string, unknown>;

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'number') return String(Number(value.toPrecision(6)));
  if (Array.isArray(value))
    return value.map((entry) => (isNamed(entry) ? entry.name : textOf(entry))).join(', ');
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([key, inner]) => `${key} ${textOf(inner)}`)
    .join('; ');
}

function isNamed(value: unknown): value is { name: string } {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';
}

/** The result of a match between two, as `tabia match --json` writes it. */
export interface MatchResult {
  agents: string[];
  games: number;
  wins: number;
  draws: number;
  losses: number;
  elo: number | undefined;
  error: number | undefined;
  los: number | undefined;
  /** Pairs of games in which the first made 0, ½, 1, 1½ and 2 points. */
  pentanomial: number[];
  /** Games that were to be played, of all pairings. */
  planned: number | undefined;
  players: PlayerResult[];
  sprt:
    { elo0: number; elo1: number; llr: number; lower: number; upper: number; verdict: string } | undefined;
}

/** One agent's part in a match. */
export interface PlayerResult {
  name: string;
  spec: string;
  limit: string;
  games: number;
  points: number;
  /** Games lost otherwise than on the board, by how. */
  faults: { illegal: number; time: number; crashes: number };
}

function readPlayer(entry: unknown): PlayerResult {
  const player = object(entry) ?? {};
  const count = (key: string) => numberOf(player[key]) ?? 0;
  return {
    name: nameOf(entry),
    spec: textOf(player['spec']),
    limit: textOf(player['limit']),
    games: count('games'),
    points: count('points'),
    faults: {
      illegal: count('illegal_moves'),
      time: count('time_losses'),
      crashes: count('crashes'),
    },
  };
}

export function readMatch(result: unknown): MatchResult | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  const value = result as Json;
  const counts = [value['wins'], value['draws'], value['losses']].map(numberOf);
  const [wins, draws, losses] = counts;
  if (!Array.isArray(value['agents']) || wins === undefined || draws === undefined || losses === undefined) {
    return undefined;
  }
  return {
    agents: value['agents'].map((agent: unknown) => nameOf(agent)),
    games: numberOf(value['games']) ?? wins + draws + losses,
    wins,
    draws,
    losses,
    elo: numberOf(value['elo']),
    error: numberOf(value['elo_error_95']),
    los: numberOf(value['los']),
    pentanomial: list(value['pentanomial']).map((count) => numberOf(count) ?? 0),
    planned: numberOf(value['games_planned']),
    players: list(value['players']).map(readPlayer),
    sprt: readSprt(value['sprt']),
  };
}

/** An agent of a result: its spec, or an object that has a name. */
function nameOf(agent: unknown): string {
  if (typeof agent === 'object' && agent !== null) {
    const { name, label, spec } = agent as Json;
    return textOf(label ?? name ?? spec ?? agent);
  }
  return String(agent);
}

function readSprt(value: unknown): MatchResult['sprt'] {
  if (typeof value !== 'object' || value === null) return undefined;
  const test = value as Json;
  const [elo0, elo1, llr, lower, upper] = ['elo0', 'elo1', 'llr', 'lower', 'upper'].map((key) =>
    numberOf(test[key]),
  );
  if (elo0 === undefined || elo1 === undefined || llr === undefined) return undefined;
  return { elo0, elo1, llr, lower: lower ?? 0, upper: upper ?? 0, verdict: textOf(test['verdict']) };
}

export interface Rating {
  name: string;
  games: number;
  points: number;
  elo: number | undefined;
  error: number | undefined;
  /** Whether it was given, not fitted. */
  anchored: boolean;
}

/** Ratings fitted jointly to all games of a match, best first. */
export function readRatings(result: unknown): Rating[] {
  const value = object(result);
  const names = list(value?.['players']).map(nameOf);
  const rated = list(object(value?.['ratings'])?.['players']).map((entry) => object(entry) ?? {});
  return rated
    .map((entry) => ({
      name: names[numberOf(entry['player']) ?? -1] ?? textOf(entry['player']),
      games: numberOf(entry['games']) ?? 0,
      points: numberOf(entry['points']) ?? 0,
      elo: numberOf(entry['elo']),
      error: numberOf(entry['elo_error_95']),
      anchored: entry['anchored'] === true,
    }))
    .sort((a, b) => (b.elo ?? 0) - (a.elo ?? 0));
}

export function object(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null ? (value as Json) : undefined;
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What people look for first; the others follow as they come. */
const lookedAtFirst = [
  'best',
  'mean',
  'worst',
  'diversity',
  'loss',
  'held_out',
  'policy_loss',
  'value_loss',
  'policy_hits',
  'policy_entropy',
  'draws',
  'plies',
  'white_score',
  'splits',
];

/** What a training measures in its steps: unknown of a generation before the first one. */
const measuredInSteps = new Set([
  'loss',
  'policy_loss',
  'value_loss',
  'policy_hits',
  'policy_entropy',
  'rate',
]);

/** The columns of metrics that are numbers, each a curve over the steps. */
export function curves(steps: Json[]): { name: string; values: (number | null)[] }[] {
  const names = new Set(
    steps.flatMap((step) => Object.keys(step).filter((key) => numberOf(step[key]) !== undefined)),
  );
  const place = (name: string) => {
    const found = lookedAtFirst.indexOf(name);
    return found < 0 ? lookedAtFirst.length : found;
  };
  return [...names]
    .sort((a, b) => place(a) - place(b))
    .map((name) => {
      const isUnknown = (step: Json) => step['steps'] === 0 && measuredInSteps.has(name);
      return { name, values: steps.map((step) => (isUnknown(step) ? null : (numberOf(step[name]) ?? null))) };
    })
    .filter(({ values }) => values.some((value) => value !== null));
}

/** A file of a run, or many that differ by their number alone. */
export interface FileGroup<F> {
  label: string;
  files: F[];
}

/** Fewer files with numbers than this are listed one by one. */
const family = 4;

/** Files in their order; those that differ by a number alone as one group, where the first of them stands. */
export function grouped<F extends { name: string }>(files: F[]): FileGroup<F>[] {
  const stem = (file: F) => file.name.replace(/\d{3,}/, '#');
  const groups = new Map<string, F[]>();
  for (const file of files) groups.set(stem(file), [...(groups.get(stem(file)) ?? []), file]);
  return [...groups.values()].flatMap((members) => {
    const [first, last] = [members[0]?.name ?? '', members.at(-1)?.name ?? ''];
    return members.length < family
      ? members.map((file) => ({ label: file.name, files: [file] }))
      : [{ label: `${first} … ${last}`, files: members }];
  });
}

/** Columns that count the steps rather than measure anything, best first. */
const axes = ['generation', 'game', 'games', 'pair', 'pairs', 'epoch', 'iteration', 'step'];

export function axisOf(all: { name: string; values: (number | null)[] }[]): {
  name: string;
  values: number[];
} {
  for (const name of axes) {
    const found = all.find((curve) => curve.name === name);
    if (
      found &&
      found.values.every((value, index) => value !== null && value > (found.values[index - 1] ?? -1))
    ) {
      return { name, values: found.values as number[] };
    }
  }
  return { name: 'step', values: (all[0]?.values ?? []).map((_, index) => index + 1) };
}
