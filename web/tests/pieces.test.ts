// @vitest-environment node
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { draw } from '../scripts/pieces.js';

test("the sprite is what the pictures' own drawings give", () => {
  const sprite = readFileSync(new URL('../src/theme/pieces.svg', import.meta.url), 'utf8');
  expect(sprite).toBe(draw());
});
