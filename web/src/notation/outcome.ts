/** How a game ended, as a sentence in the language of the page. */
import type { Outcome } from '../api/client';
import { m } from '../text/catalogue.svelte';
import type { JournalGame } from './journal';
import type { Standing } from './position';

export function outcomeText({ reason, winner, words }: Outcome): string {
  if (!winner) return (m.ended.draw as Record<string, string>)[reason] ?? words;
  const say = (m.ended.win as Record<string, (winner: string, loser: string) => string>)[reason];
  return say?.(m.color[winner], m.color[winner === 'white' ? 'black' : 'white']) ?? words;
}

/** The same of a game of a match; empty where it has no result. */
export function journalEnd({ result, reason }: JournalGame): string {
  const winner = result === '1-0' ? 'white' : result === '0-1' ? 'black' : null;
  return reason && outcomeText({ result, reason, winner, words: reason });
}

/** The same of a position, as far as it alone tells; nothing where the game goes on. */
export function endText({ over, winner }: Standing): string | undefined {
  return over && m.over[over](m.color[winner ?? 'white']);
}
