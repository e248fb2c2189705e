import { describe, expect, test } from 'vitest';
import { readJournal, shares, standings } from '../src/notation/journal';
import { last } from '../src/notation/line';
import { duration, readLive } from '../src/notation/live';
import { markOfNags } from '../src/notation/marks';
import { axisOf, curves, grouped, readMatch, readRatings, textOf, type Json } from '../src/notation/run';
import { matchRequest, usualMatch } from '../src/state/match';

test("a mark is read from PGN's numbers", () => {
  expect(markOfNags([7, 4])).toBe('??');
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

  test('has its pairs, its plan, and what each player did wrong', () => {
    const players = [{ name: 'a', spec: 'axon', limit: 'depth=2', games: 4, points: 2.5, crashes: 2 }];
    const match = readMatch({ ...result, pentanomial: [0, 1, 0, 1, 0], games_planned: 8, players });
    expect(match?.pentanomial).toEqual([0, 1, 0, 1, 0]);
    expect(match?.planned).toBe(8);
    expect(match?.players[0]?.faults).toEqual({ illegal: 0, time: 0, crashes: 2 });
  });

  test('that goes on has its games on boards', () => {
    const game = { game: 3, white: 'a', black: 'b', moves: 'e2e4 e7e5', mate: -2, clocks_ms: [900, 1000] };
    const live = readLive({
      finished: 3,
      total: 10,
      left_ms: 61_000,
      games: [game],
      llr: [{ pairs: 1, llr: 0.1 }],
    });
    expect(live.games[0]).toMatchObject({
      moves: ['e2e4', 'e7e5'],
      mate: -2,
      cp: undefined,
      clocks: [900, 1000],
    });
    expect(last(undefined, live.games[0]?.moves ?? []).fen).toContain('4p3/4P3');
    expect(live.llr).toEqual([{ pairs: 1, llr: 0.1 }]);
    expect([live.left ?? 0, 5_000, 3_700_000].map(duration)).toEqual(['1 min 1 s', '5 s', '1 h 1 min']);
    expect(readLive(undefined).games).toEqual([]);
  });

  test('that is none is not read', () => {
    expect(readMatch({ best: 3 })).toBeUndefined();
    expect(readMatch(null)).toBeUndefined();
  });
});

describe('files', () => {
  const names = (all: string[]) => grouped(all.map((name) => ({ name })));

  test('of many generations are one entry', () => {
    const champions = [0, 1, 2, 3].map((number) => `champion-000${number}.json`);
    const found = names([...champions, 'champion.json', 'fitness.svg']);
    expect(found.map(({ label, files }) => [label, files.length])).toEqual([
      ['champion-0000.json … champion-0003.json', 4],
      ['champion.json', 1],
      ['fitness.svg', 1],
    ]);
  });

  test('that are few stand for themselves', () => {
    const found = names(['games-0001.bin', 'games-0002.bin', 'tables-2.svg']);
    expect(found.map(({ label }) => label)).toEqual(['games-0001.bin', 'games-0002.bin', 'tables-2.svg']);
  });
});

describe('metrics', () => {
  const steps = [
    { generation: 0, best: 1.5, name: 'x' },
    { generation: 1, best: 2, mean: 1 },
  ];

  test('become a curve for every number, with gaps', () => {
    expect(curves(steps)).toEqual([
      { name: 'best', values: [1.5, 2] },
      { name: 'mean', values: [null, 1] },
      { name: 'generation', values: [0, 1] },
    ]);
  });

  test('begin with what people look for', () => {
    const names = curves([{ games: 1, loss: 2, plies: 3, value_loss: 4 }]).map(({ name }) => name);
    expect(names).toEqual(['loss', 'value_loss', 'plies', 'games']);
  });

  test('have no loss where nothing was learned yet', () => {
    const early = { generation: 1, steps: 0, loss: 0, rate: 0, draws: 0 };
    const learned = { generation: 2, steps: 20, loss: 4.5, rate: 0.002, draws: 0 };
    const values = (metrics: Json[], wanted: string) =>
      curves(metrics).find(({ name }) => name === wanted)?.values;
    expect(values([early, learned], 'loss')).toEqual([null, 4.5]);
    expect(values([early, learned], 'rate')).toEqual([null, 0.002]);
    expect(values([early, learned], 'draws')).toEqual([0, 0]);
    expect(values([early], 'loss')).toBeUndefined();
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

describe('a match to be played', () => {
  test('is requested as the server takes it', () => {
    const setup = usualMatch();
    expect(matchRequest(setup)).toMatchObject({
      kind: 'match',
      agents: ['engine', 'axiomx'],
      games: 100,
      nodes: 10000,
    });
    expect(matchRequest(setup)).not.toHaveProperty('name');
    const wrong = { ...setup, amounts: { ...setup.amounts, nodes: '10k' } };
    expect(() => matchRequest(wrong)).toThrow('"10k" is not a number of nodes');
    const [first] = setup.players;
    const named = { ...setup, tested: true, players: [{ ...first, name: 'new' }, ...setup.players.slice(1)] };
    expect(matchRequest(named as typeof setup)).toMatchObject({
      agents: ['new=engine', 'axiomx'],
      sprt: [0, 5],
    });
    const three = {
      ...named,
      gauntlet: true,
      timeControl: 'tc',
      players: [...setup.players, ...setup.players],
    };
    expect(matchRequest(three as typeof setup)).toMatchObject({ gauntlet: true, games: 100, tc: '8+0.08' });
  });
});
