import { describe, expect, test } from 'vitest';
import { color, roundUp, scaleOf, short, ticks } from '../src/board/heat';
import { pieces, spoken } from '../src/board/pieces';
import { at, isDark, squares } from '../src/board/squares';
import { startFen } from '../src/notation/line';

const field = (name: string, value: number) => ({
  name,
  unit: 'influence',
  values: Array.from({ length: 8 }, (_, row) => Array.from({ length: 8 }, () => (row === 0 ? value : 0))),
});

describe('squares', () => {
  test('run from the upper left corner as each side sees it', () => {
    expect(squares('white')[0]).toBe('a8');
    expect(squares('black')[0]).toBe('h1');
    expect(new Set(squares('white')).size).toBe(64);
  });

  test('are dark at a1 and light at h1', () => {
    expect(isDark('a1')).toBe(true);
    expect(isDark('h1')).toBe(false);
  });

  test('find their number in a field whose first row is rank 8', () => {
    expect(at(field('x', 7).values, 'c8')).toBe(7);
    expect(at(field('x', 7).values, 'c7')).toBe(0);
  });
});

describe('pieces of a FEN', () => {
  test('stand where it says', () => {
    const placed = pieces(startFen);
    expect(placed.size).toBe(32);
    expect(spoken(placed.get('g8'))).toBe('black knight');
    expect(spoken(placed.get('e4'))).toBe('empty');
  });
});

describe('a scale', () => {
  test('goes both ways where a field does', () => {
    const scale = scaleOf([field('control', -13)]);
    expect(scale).toEqual({ low: -16, high: 0, above: 'white' });
    expect(ticks(scaleOf([field('control', -13), field('control', 4)]))).toEqual([-16, -8, 0, 8, 16]);
  });

  test("gives Black's own field Black's colour", () => {
    const scale = scaleOf([field('black attack', 9)]);
    expect(scale.above).toBe('black');
    expect(color(20, scale)).toBe('rgb(var(--black-heat) / 0.900)');
    expect(color(0, scale)).toBe('rgb(var(--black-heat) / 0.000)');
  });

  test('ends at round numbers', () => {
    expect([0, 0.45, 1, 1.1, 23, 260].map(roundUp)).toEqual([1, 0.5, 1, 1.2, 24, 300]);
  });

  test('writes numbers short enough for a square', () => {
    expect([0, 2.34, -12.6, 1530].map(short)).toEqual(['0', '2.3', '−13', '1.5k']);
  });
});
