import { describe, expect, test } from 'vitest';
import { readJournal, shares, standings } from '../src/notation/journal';
import { mark, markOfNags, tally } from '../src/notation/marks';
import { axisOf, curves, readMatch, readRatings, textOf } from '../src/notation/run';

describe('a mark', () => {
  test('is for what the mover gave away', () => {
    expect(mark({ cp: 0 }, { cp: -400 }, 'white')).toBe('??');
    expect(mark({ cp: 0 }, { cp: -400 }, 'black')).toBeUndefined();
    expect(mark({ cp: 0 }, { cp: 60 }, 'black')).toBe('?!');
  });

  test('is not given where all was lost before', () => {
    expect(mark({ cp: -1500 }, { cp: -2000 }, 'white')).toBeUndefined();
    expect(mark(undefined, { cp: 0 }, 'white')).toBeUndefined();
  });

  test("is read from PGN's numbers and counted", () => {
    expect(markOfNags([7, 4])).toBe('??');
    expect(tally(['?', '??', undefined, '??'])).toEqual({ dubious: 0, mistakes: 1, blunders: 2 });
  });
});

describe('a match', () => {
  const result = {
    agents: ['axon', 'pst'],
    games: 4,
    wins: 2,
    draws: 1,
    losses: 1,
    elo: 87.2,
    elo_error_95: 300.5,
    los: 0.7,
    sprt: { elo0: 0, elo1: 5, llr: 1.2, lower: -2.94, upper: 2.94, verdict: 'continue' },
  };

  test('is read as the command writes it', () => {
    expect(readMatch(result)).toMatchObject({ agents: ['axon', 'pst'], wins: 2, error: 300.5 });
    expect(readMatch(result)?.sprt?.llr).toBe(1.2);
  });

  test('has ratings with the names of its players, best first', () => {
    const rated = {
      players: [{ name: 'a' }, { name: 'b' }],
      ratings: {
        players: [
          { player: 0, elo: -20, elo_error_95: 9, games: 4, points: 1 },
          { player: 1, elo: 20, elo_error_95: 9, games: 4, points: 3 },
        ],
      },
    };
    expect(readRatings(rated).map(({ name, elo }) => [name, elo])).toEqual([
      ['b', 20],
      ['a', -20],
    ]);
    expect(readRatings(undefined)).toEqual([]);
  });

  test('that is none is not read', () => {
    expect(readMatch({ best: 3 })).toBeUndefined();
    expect(readMatch(null)).toBeUndefined();
  });
});

describe('metrics', () => {
  const steps = [
    { generation: 0, best: 1.5, name: 'x' },
    { generation: 1, best: 2, mean: 1 },
  ];

  test('become a curve for every number, with gaps', () => {
    expect(curves(steps)).toEqual([
      { name: 'generation', values: [0, 1] },
      { name: 'best', values: [1.5, 2] },
      { name: 'mean', values: [null, 1] },
    ]);
  });

  test('are drawn over what counts them, or over their number', () => {
    expect(axisOf(curves(steps)).name).toBe('generation');
    expect(axisOf(curves([{ loss: 1 }, { loss: 2 }]))).toEqual({ name: 'step', values: [1, 2] });
  });

  test('are written short', () => {
    const values = [1, 1.23456789, null, [1, 'a'], { a: 1, b: 'c' }, [{ name: 'x', pace: 1 }]];
    expect(values.map(textOf)).toEqual(['1', '1.23457', '—', '1, a', 'a 1; b c', 'x']);
  });
});

describe('the journal of a match', () => {
  const text =
    '{"game":2,"white":"b","black":"a","result":"1/2-1/2","reason":"stalemate","opening":0,"moves":"e2e4"}\n' +
    '{"game":1,"white":"a","black":"b","result":"1-0","reason":"checkmate","opening":0,"moves":"e2e4 e7e5"}\n' +
    '{"game":3,"whi';

  test('is read by its whole lines, in the order of the games', () => {
    const games = readJournal(text);
    expect(games.map((game) => game.game)).toEqual([1, 2]);
    expect(games[0]?.moves).toEqual(['e2e4', 'e7e5']);
  });

  test('says who stands how', () => {
    const games = readJournal(text);
    expect(standings(games)[0]).toEqual({ player: 'a', wins: 1, draws: 1, losses: 0, points: 1.5 });
    expect(shares(games, 'b')).toEqual([0, 25]);
  });
});
