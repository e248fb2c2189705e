/** Strengths with names. The numbers are the ratings the strong search is calibrated for; none is all it has. */
import { m } from '../text/catalogue.svelte';
import { readSpec, type Spec } from './spec';

export const levels = [
  { key: 'beginner', elo: 600 },
  { key: 'novice', elo: 900 },
  { key: 'casual', elo: 1200 },
  { key: 'club', elo: 1500 },
  { key: 'strongClub', elo: 1800 },
  { key: 'expert', elo: 2100 },
  { key: 'master', elo: 2400 },
  { key: 'full', elo: undefined },
] as const;

export type Level = (typeof levels)[number];

/** "Beginner (600)"; the last has no number. */
export function levelName({ key, elo }: Level): string {
  return elo === undefined ? m.levels[key] : `${m.levels[key]} (${elo})`;
}

/** What a level with a long name is called where there is little room. */
export function shortName({ key }: Level): string | undefined {
  return key === 'strongClub' || key === 'full' ? m.levels.short[key] : undefined;
}

/** The agent that plays at a level. */
export function levelSpec({ elo }: Level): Spec {
  return { name: 'engine', options: elo === undefined ? {} : { elo: String(elo) } };
}

/** The level that an agent is, if it is one. */
export function levelOf(spec: Spec): Level | undefined {
  if (spec.name !== 'engine' || Object.keys(spec.options).some((option) => option !== 'elo'))
    return undefined;
  return levels.find(({ elo }) => String(elo ?? '') === (spec.options['elo'] ?? ''));
}

/** What people call a player that is named by an agent spec: a level's name where it is one, else the spec itself. */
export function opponentName(name: string): string {
  if (name === 'human') return m.play.human;
  const level = levelOf(readSpec(name));
  return level ? levelName(level) : name;
}
