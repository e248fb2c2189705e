import { describe, expect, test } from 'vitest';
import { gameOf } from '../src/notation/journal';
import { journalEnd } from '../src/notation/outcome';
import { languageOf, texts } from '../src/text/catalogue.svelte';
import { de } from '../src/text/de';
import { en } from '../src/text/en';

/** Every text with the way to it; functions are told numbers, which go where texts go, too. */
function leaves(part: unknown, path = ''): [string, string][] {
  if (typeof part === 'string') return [[path, part]];
  if (typeof part === 'function') return [[path, (part as (...given: unknown[]) => string)(3, 5, 7)]];
  return Object.entries(part as object).flatMap(([key, inner]) =>
    leaves(inner, path ? `${path}.${key}` : key),
  );
}

describe('the catalogues', () => {
  test('have the same texts, and none is empty', () => {
    const [english, german] = [leaves(en), leaves(de)];
    expect(german.map(([path]) => path)).toEqual(english.map(([path]) => path));
    for (const [path, text] of [...english, ...german]) expect(text, path).not.toBe('');
  });

  test('of German are German: few texts are the same in both languages', () => {
    const english = new Map(leaves(en));
    const same = leaves(de).filter(([path, text]) => english.get(path) === text);
    expect(same.length).toBeLessThan(leaves(en).length / 10);
  });
});

test('every end of a game of a match is told in the language of the page', async () => {
  const told = (): string[] =>
    ['1-0', '0-1', '1/2-1/2'].flatMap((result) =>
      Object.keys(result === '1/2-1/2' ? en.ended.draw : en.ended.win).map((reason) =>
        journalEnd(gameOf({ game: 0, white: 'a', black: 'b', moves: '', result, reason })),
      ),
    );
  const english = told();
  await texts.speak('de');
  const german = told();
  await texts.speak('en');
  expect(english).toContain('Black wins by checkmate');
  expect(german).toContain('Schwarz gewinnt durch Schachmatt');
  for (const [index, text] of german.entries()) expect(text).not.toBe(english[index]);
});

test('one ply is not plies, and one move is not moves', () => {
  const told = (plies: number): string[] =>
    [en, de].flatMap(({ arena, quantum, open }) => [
      arena.liveGame(1, 'a', 'b', plies),
      quantum.summary(plies, plies),
      open.moves(plies),
    ]);
  expect(told(1)).toEqual([
    ...['Game 1: a against b, 1 ply', '1 ply, 1 branch', '1 move'],
    ...['Partie 1: a gegen b, 1 Halbzug', '1 Halbzug, 1 Zweig', '1 Zug'],
  ]);
  expect(told(2)).toEqual([
    ...['Game 1: a against b, 2 plies', '2 plies, 2 branches', '2 moves'],
    ...['Partie 1: a gegen b, 2 Halbzüge', '2 Halbzüge, 2 Zweige', '2 Züge'],
  ]);
});

test("the language is the browser's where there is a catalogue, unless it was chosen", () => {
  expect(languageOf('auto', ['de-AT', 'en'])).toBe('de');
  expect(languageOf('auto', ['fr', 'en-GB', 'de'])).toBe('en');
  expect(languageOf('auto', ['fr'])).toBe('en');
  expect(languageOf('de', ['en'])).toBe('de');
});
