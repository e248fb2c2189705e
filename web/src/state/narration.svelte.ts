/** What a screen reader hears of an analysis: the move that is gone to, and how the players did once a game is analysed. */
import { untrack } from 'svelte';
import { turnOf } from '../board/pieces';
import { endText } from '../notation/outcome';
import { standing } from '../notation/position';
import { scoreWords } from '../notation/score';
import { spokenSan } from '../notation/speech';
import { m } from '../text/catalogue.svelte';
import type { Analysis } from './analysis.svelte';
import { announcer } from './announce.svelte';
import { MoveTree, type MoveNode } from './tree.svelte';

/** To be called where a page is made. */
export function narrate(work: Analysis): void {
  let heard: MoveNode | undefined;
  $effect(() => {
    const node = work.tree.current;
    untrack(() => {
      if (heard && heard !== node) announcer.say(spoken(node));
      heard = node;
    });
  });
  let analysing = false;
  $effect(() => {
    const { progress, verdict } = work;
    untrack(() => {
      if (analysing && !progress && verdict) {
        const { white, black } = verdict.accuracy;
        announcer.say(m.speech.analysed(Math.round(white ?? 0), Math.round(black ?? 0)));
      }
      analysing = progress !== undefined;
    });
  });
}

/** A move with its number, and what the analysis made of it. */
function spoken(node: MoveNode): string {
  if (!node.parent) return m.stepper.first;
  const mark = MoveTree.markOf(node) as keyof typeof m.analyse.glyph | undefined;
  const number = Number(node.parent.fen.split(' ')[5] ?? 1);
  const words = [m.speech.move(m.color[turnOf(node.parent.fen)], spokenSan(node.san))];
  const end = endText(standing(node.fen));
  if (mark) words.push(m.analyse.glyph[mark]);
  if (end) words.push(end);
  else if (node.analysed) words.push(scoreWords(node.analysed.score));
  return m.speech.numbered(number, words.join(', '));
}
