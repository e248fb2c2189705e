/** How a game ended, as a sentence in the language of the page. */
import type { Outcome } from '../api/client';
import { m } from '../text/catalogue.svelte';

export function outcomeText({ reason, winner, words }: Outcome): string {
  if (!winner) return (m.ended.draw as Record<string, string>)[reason] ?? words;
  const say = (m.ended.win as Record<string, (winner: string, loser: string) => string>)[reason];
  return say?.(m.color[winner], m.color[winner === 'white' ? 'black' : 'white']) ?? words;
}
