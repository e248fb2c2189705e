/** Praise and blame: the glyphs that stand for what the coach says of a move. */
import type { Review } from '../api/client';

const marks: Record<string, string> = { inaccuracy: '?!', mistake: '?', blunder: '??' };

/** The glyph of a mark as the server names it. */
export function glyphOf(mark: string | null | undefined): string | undefined {
  return mark ? marks[mark] : undefined;
}

/** The glyph of a move that was reviewed by itself: praise by its verdict, blame as the text has it behind the move. */
export function glyphOfReview({ verdict, san, text }: Review): string | undefined {
  if (verdict === 'brilliant') return '!!';
  if (verdict === 'only move') return '!';
  const behind = text.indexOf(`${san}?`);
  return behind < 0 ? undefined : /^\?[?!]?/.exec(text.slice(behind + san.length))?.[0];
}

/** What PGN's numbers mean. */
export const glyphs: Record<number, string> = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

/** The numbers of a judgement. */
export function nagOf(mark: string): number | undefined {
  const found = Object.entries(glyphs).find(([, glyph]) => glyph === mark)?.[0];
  return found === undefined ? undefined : Number(found);
}

/** Other glyphs that are often written after a move. */
const positions: Record<number, string> = {
  7: '□',
  10: '=',
  13: '∞',
  14: '⩲',
  15: '⩱',
  16: '±',
  17: '∓',
  18: '+−',
  19: '−+',
  22: '⨀',
  23: '⨀',
  36: '↑',
  37: '↑',
  40: '→',
  41: '→',
  132: '⇆',
  133: '⇆',
  138: '⊕',
  139: '⊕',
  140: '∆',
  146: 'N',
};

export function markOfNags(numbers: number[] | undefined): string | undefined {
  return numbers?.map((number) => glyphs[number]).find(Boolean);
}

/** All glyphs of a move that is not about its quality; unknown ones by their number. */
export function otherGlyphs(numbers: number[]): string {
  return numbers
    .filter((number) => !glyphs[number])
    .map((number) => positions[number] ?? `$${number}`)
    .join(' ');
}
