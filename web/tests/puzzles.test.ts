import { describe, expect, test } from 'vitest';
import { readPuzzles, themesOf } from '../src/notation/puzzles';
import { Trainer } from '../src/state/trainer.svelte';
import type { Mistake } from '../src/state/mistakes.svelte';

const header = 'PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags';
const row = '0001,7k/5ppp/8/8/1p6/8/8/R5K1 b - - 0 1,b4b3 a1a8,900,80,90,1,mate mateIn1 backRankMate,url,';

describe('a file of puzzles', () => {
  test('is read by the names of its columns, or as lichess orders them', () => {
    for (const text of [`${header}\n${row}\n`, row, `\uFEFF${header}\r\n${row}\r\n`]) {
      const { puzzles, faultCount } = readPuzzles(text);
      expect(puzzles).toHaveLength(1);
      expect(puzzles[0]).toMatchObject({ id: '0001', moves: ['b4b3', 'a1a8'], rating: 900 });
      expect(faultCount).toBe(0);
    }
    expect(readPuzzles('Moves,"FEN"\nb4b3 a1a8,"7k/5ppp/8/8/1p6/8/8/R5K1 b - - 0 1"').puzzles).toHaveLength(
      1,
    );
  });

  test('keeps what can be read, and tells the lines that cannot', () => {
    const { puzzles, faults, faultCount } = readPuzzles(
      `${header}\n${row}\nx,nonsense,e2e4 e7e5,1\n${row.replace('b4b3 a1a8', 'zz')}\n`,
    );
    expect(puzzles).toHaveLength(1);
    expect(faultCount).toBe(2);
    expect(faults[0]).toContain('Line 3');
    expect(faults[1]).toContain('Line 4');
    expect(() => readPuzzles('hello\nworld')).toThrow(/no puzzle.*Line 1/);
    expect(() => readPuzzles('FEN,Rating\nx,1')).toThrow(/Moves/);
  });

  test('has themes by their number', () => {
    const { puzzles } = readPuzzles(`${row}\n${row.replace('mate ', 'mate fork ')}`);
    expect(themesOf(puzzles)[0]).toEqual(['mate', 2]);
  });
});

describe('an exercise', () => {
  const { puzzles } = readPuzzles(row);
  const begin = (moves?: string[]): Trainer | undefined =>
    puzzles[0] && Trainer.ofPuzzle({ ...puzzles[0], ...(moves ? { moves } : {}) });

  test('is solved by its move, after the opponent has made the first', () => {
    const trainer = begin();
    if (!trainer) throw new Error('it can be played');
    expect(trainer.side).toBe('white');
    expect(trainer.last).toBe('b4b3');
    trainer.try('g1f1');
    expect([trainer.phase, trainer.wrong]).toEqual(['wrong', 'Kf1']);
    trainer.try('a1a8');
    expect([trainer.phase, trainer.helped]).toEqual(['solved', true]);
    expect(trainer.solution).toBe('2. Ra8#');
  });

  test('gives hints, and shows the solution', () => {
    const trainer = begin();
    if (!trainer) throw new Error('it can be played');
    trainer.hint();
    expect(trainer.hintSquare).toBeUndefined();
    trainer.hint();
    expect(trainer.hintSquare).toBe('a1');
    trainer.show();
    expect([trainer.phase, trainer.solution]).toEqual(['shown', '2. Ra8#']);
  });

  test('that cannot be played is none', () => {
    expect(begin(['b4b3', 'h1h8'])).toBeUndefined();
  });

  test('of a mistake takes every good move', () => {
    const accepted = [
      { uci: 'e1h1', san: 'O-O' },
      { uci: 'e1e2', san: 'Ke2' },
    ];
    const mistake = { fen: '4k3/8/8/8/8/8/8/4K2R w K - 0 1', accepted } as unknown as Mistake;
    for (const uci of ['e1g1', 'e1h1', 'e1e2']) {
      const trainer = Trainer.ofMistake(mistake);
      trainer.try(uci);
      expect([trainer.phase, trainer.helped]).toEqual(['solved', false]);
    }
  });
});
