/** Strengths with names for quantum chess; docs/quantum.md says how far they are apart. */
import { readSpec, writeSpec, type Spec } from '../state/spec';
import { m } from '../text/catalogue.svelte';

const net = (simulations: number): Spec => ({ name: 'net', options: { simulations: String(simulations) } });
const mcts = (simulations: number): Spec => ({ name: 'mcts', options: { simulations: String(simulations) } });

export const levels = [
  { key: 'beginner', spec: { name: 'greedy', options: {} } as Spec },
  { key: 'novice', spec: mcts(20) },
  { key: 'casual', spec: mcts(100) },
  { key: 'club', spec: net(2) },
  { key: 'expert', spec: net(8) },
  { key: 'master', spec: net(32) },
  { key: 'full', spec: net(200) },
] as const;

export type LevelKey = (typeof levels)[number]['key'];

/** The weakest level that the network plays. */
export const usual = levels[3];

/** The level that an agent is, if it is one. */
export function levelOf(spec: Spec | undefined): LevelKey | undefined {
  return spec && levels.find((level) => writeSpec(level.spec) === writeSpec(spec))?.key;
}

/** What people call a player that is named by an agent spec: a level's name where it is one, else the spec itself. */
export function opponentName(name: string): string {
  if (name === 'human') return m.play.human;
  const level = levelOf(readSpec(name));
  return level ? m.levels[level] : name;
}
