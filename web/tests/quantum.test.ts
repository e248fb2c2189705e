import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Action, Branch, Game, Ply } from '../src/quantum/api';
import { certain, entangled, isPlain, odds, percent, possible, short, spoken } from '../src/quantum/branches';
import { steps } from '../src/quantum/lesson';
import { QuantumSession } from '../src/quantum/session.svelte';
import { Source } from './source';

const branch = (weight: string, board: string): Branch => ({
  weight,
  probability: 0,
  board,
  castling: '-',
  en_passant: null,
});

describe('what depends on what', () => {
  // The rook has passed a5 where the knight is on b3, and has not where it is on a5.
  const pair = [branch('1', '7k/R7/8/8/8/1n6/8/7K'), branch('1', '7k/8/8/n7/8/8/8/R6K')];

  it('is found exactly', () => {
    expect(entangled(pair, 'a7', 'R')).toEqual([
      { square: 'a1', piece: 'R', ifPresent: 0, ifAbsent: 1 },
      { square: 'a5', piece: 'n', ifPresent: 0, ifAbsent: 1 },
      { square: 'b3', piece: 'n', ifPresent: 1, ifAbsent: 0 },
    ]);
  });

  it('is nothing where a piece is certain, or where two are independent', () => {
    expect(entangled(pair, 'h1', 'K')).toEqual([]);
    const free = ['N', ''].flatMap((knight) =>
      ['n', ''].map((other) => branch('1', `${other || '1'}6k/8/8/8/8/8/8/${knight || '1'}6K`)),
    );
    expect(entangled(free, 'a1', 'N')).toEqual([]);
  });

  it('does not round weights that are larger than what numbers hold', () => {
    const large = (2n ** 61n).toString();
    const larger = (2n ** 61n + 2n).toString();
    const free = [
      branch(large, 'n6k/8/8/8/8/8/8/N6K'),
      branch(large, '7k/8/8/8/8/8/8/N6K'),
      branch(large, 'n6k/8/8/8/8/8/8/7K'),
    ];
    expect(entangled([...free, branch(large, '7k/8/8/8/8/8/8/7K')], 'a1', 'N')).toEqual([]);
    expect(entangled([...free, branch(larger, '7k/8/8/8/8/8/8/7K')], 'a1', 'N')).toHaveLength(1);
  });
});

describe('what is said', () => {
  it('never calls certain what is not', () => {
    expect([0.5, 0.125, 1, 0, 0.0001, 0.99999].map(percent)).toEqual([
      '50%',
      '12.5%',
      '100%',
      '0%',
      '<0.1%',
      '>99.9%',
    ]);
    expect([0.5, 0.001, 0.999].map(short)).toEqual(['50', '<1', '99']);
  });

  it('names what may stand on a square', () => {
    const squares = {
      c3: [
        { piece: 'N', probability: 0.5 },
        { piece: 'q', probability: 0.25 },
      ],
    };
    expect(spoken(squares, 'c3')).toBe('white knight 50% or black queen 25%');
    expect(spoken(squares, 'c4')).toBe('empty');
    expect(spoken(certain('7k/8/8/8/8/8/8/7K'), 'h1')).toBe('white king');
  });

  it('is read off a written position, in whichever way it is written', () => {
    expect(possible('7k/8/8/8/8/8/8/7K w - - 0 1')).toEqual(certain('7k/8/8/8/8/8/8/7K'));
    const squares = possible('w 0 2: 1*4k3/8/8/8/8/2N5/8/4K3 - - + 3*4k3/8/8/8/8/8/8/1N2K3 - -');
    expect(spoken(squares, 'c3')).toBe('white knight 25%');
    expect(spoken(squares, 'b1')).toBe('white knight 75%');
    expect(spoken(squares, 'e1')).toBe('white king');
  });

  it('tells what a move may come to before it is made', () => {
    const action: Action = {
      move: 'd1d5',
      from: 'd1',
      to: 'd5',
      split: false,
      promotion: null,
      chance: 1,
      capture: 0.5,
      win: 0,
      measured: true,
    };
    expect(odds(action)).toBe('succeeds 100%, captures 50%, measured');
    expect(isPlain(action)).toBe(false);
    const quiet = { ...action, capture: 0, measured: false };
    expect(isPlain(quiet)).toBe(true);
    expect(odds({ ...quiet, split: true, chance: 0.5 })).toBe('succeeds 50%, made and not made at once');
    expect(odds({ ...quiet, capture: 1, win: 1 })).toBe('succeeds 100%, takes the king and wins 100%');
  });
});

describe('the lesson', () => {
  const ply = (from: string, to: string, split: boolean): Ply => ({
    ply: 1,
    side: 'white',
    text: `${from}${split ? '~' : ''}${to}`,
    from,
    to,
    split,
    chance: 1,
    measured: [],
    branches: 1,
  });

  it('has five positions, and takes nothing but what was asked', () => {
    expect(steps).toHaveLength(5);
    const game = { branches: [branch('1', ''), branch('1', '')], outcome: null } as unknown as Game;
    const moves: [string, string, boolean][] = [
      ['b1', 'c3', true],
      ['e1', 'e2', false],
      ['d1', 'd5', false],
      ['a1', 'a7', false],
      ['e1', 'e8', false],
    ];
    const done = steps.map((step, index) => moves.map((move) => step.done(game, ply(...move)))[index]);
    // The second asks for one branch and the last for a won game, which no move alone is.
    expect(done).toEqual([true, false, true, true, false]);
    expect(steps[0]?.done(game, ply('b1', 'c3', false))).toBe(false);
  });
});

describe('a game that is looked through', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('stays where one has gone since, however late an earlier position comes', async () => {
    const settled = (): Promise<unknown> => new Promise((done) => setTimeout(done));
    let arrive: (response: unknown) => void = () => undefined;
    const late = new Promise((done) => (arrive = done));
    vi.stubGlobal('EventSource', Source);
    vi.stubGlobal('fetch', () => late);
    const session = new QuantumSession({ id: 'g', version: 1, ply: 2, moves: [] } as unknown as Game);
    session.go(1);
    session.go(2);
    arrive({ ok: true, status: 200, json: () => Promise.resolve({}) });
    await settled();
    expect(session.isLatest).toBe(true);
    session.go(1);
    await settled();
    expect(session.ply).toBe(1);
    session.close();
  });
});
