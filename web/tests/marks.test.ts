import { describe, expect, test } from 'vitest';
import { moveAccuracy, played } from '../src/notation/accuracy';
import { isOnlyMove, nagOf, otherGlyphs } from '../src/notation/marks';

describe('how a side played', () => {
  test('a move that keeps everything is wholly accurate, a blunder is not', () => {
    expect(moveAccuracy({ cp: 30 }, { cp: 30 }, 'white')).toBeCloseTo(100, 0);
    expect(moveAccuracy({ cp: 30 }, { cp: -600 }, 'white')).toBeLessThan(20);
    expect(moveAccuracy({ cp: -30 }, { cp: 600 }, 'black')).toBeLessThan(20);
    // Better than expected is no better than best.
    expect(moveAccuracy({ cp: 0 }, { cp: 300 }, 'white')).toBeCloseTo(100, 0);
  });

  test('the loss is the mean over its own moves, with mates capped', () => {
    const moves = [
      { before: { cp: 0 }, after: { cp: -100 }, mover: 'white' as const },
      { before: { cp: -100 }, after: { cp: -100 }, mover: 'black' as const },
      { before: { cp: 0 }, after: { mate: -3 }, mover: 'white' as const },
    ];
    expect(played(moves, 'white')?.loss).toBe(550);
    expect(played(moves, 'black')).toMatchObject({ loss: 0, moves: 1 });
    expect(played([], 'white')).toBeUndefined();
  });
});

test('a good move is the only one that keeps the balance', () => {
  expect(isOnlyMove({ cp: 0 }, { cp: -200 }, 'white')).toBe(true);
  expect(isOnlyMove({ cp: 0 }, { cp: -20 }, 'white')).toBe(false);
  expect(isOnlyMove({ cp: 0 }, { cp: 200 }, 'black')).toBe(true);
  // Where all is won, or there is no choice, no move is praised.
  expect(isOnlyMove({ mate: 2 }, { cp: 0 }, 'white')).toBe(false);
  expect(isOnlyMove({ cp: 0 }, undefined, 'white')).toBe(false);
});

test('glyphs are written as they are read', () => {
  expect(['!', '?', '!!', '??', '!?', '?!'].map(nagOf)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(otherGlyphs([1, 14, 250])).toBe('⩲ $250');
});
