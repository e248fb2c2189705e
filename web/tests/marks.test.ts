import { expect, test } from 'vitest';
import type { Review } from '../src/api/client';
import { glyphOf, glyphOfReview, nagOf, otherGlyphs } from '../src/notation/marks';

test("the coach's marks have their glyphs", () => {
  expect(['inaccuracy', 'mistake', 'blunder', null, undefined].map(glyphOf)).toEqual([
    '?!',
    '?',
    '??',
    undefined,
    undefined,
  ]);
});

test('a move that was reviewed by itself has the glyph of its text', () => {
  const of = (verdict: string, text: string): string | undefined =>
    glyphOfReview({ verdict, san: 'Nf6', text } as Review);
  expect(of('missed win', '3...Nf6? misses 3...g6.')).toBe('?');
  expect(of('allowed mate', '3...Nf6?? allows mate in 1.')).toBe('??');
  expect(of('inaccuracy', '3...Nf6?! is an inaccuracy.')).toBe('?!');
  expect(of('brilliant', '3...Nf6 wins.')).toBe('!!');
  expect(of('only move', '3...Nf6 is the only move.')).toBe('!');
  expect(of('good', '3...Nf6 is good.')).toBeUndefined();
});

test('glyphs are written as they are read', () => {
  expect(['!', '?', '!!', '??', '!?', '?!'].map(nagOf)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(otherGlyphs([1, 14, 250])).toBe('⩲ $250');
});
