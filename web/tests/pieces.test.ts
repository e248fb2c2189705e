// @vitest-environment node
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cburnett } from '../scripts/cburnett.js';
import { draw } from '../scripts/pieces.js';

test("the sprite is what the pictures' own drawings give", () => {
  const sprite = readFileSync(new URL('../src/theme/pieces.svg', import.meta.url), 'utf8');
  expect(sprite).toBe(draw());
});

test('the standard pieces are those that chessground ships', () => {
  const css = readFileSync(new URL('../src/theme/cburnett.css', import.meta.url), 'utf8');
  expect(css).toBe(cburnett());
  expect(css.match(/background-image/g)).toHaveLength(12);
});
