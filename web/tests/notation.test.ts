import { describe, expect, test } from 'vitest';
import { clockText } from '../src/notation/clock';
import { find } from '../src/notation/entry';
import { leftInWords } from '../src/notation/grid';
import { numbered, startFen, write } from '../src/notation/line';
import { surplus } from '../src/notation/material';
import { destinations, meant, offered, promotes } from '../src/notation/offered';
import { recorded, scoreText, scoreWords, share } from '../src/notation/score';
import { spokenSan } from '../src/notation/speech';
import { writePgn } from '../src/notation/pgn';
import { readGame, readGames, readStart } from '../src/notation/start';

describe('a line of moves', () => {
  test('is written in SAN with the position after each move', () => {
    const line = write(startFen, ['e2e4', 'e7e5', 'g1f3']);
    expect(line.map((move) => move.san)).toEqual(['e4', 'e5', 'Nf3']);
    expect(line[0]?.fen).toBe('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
  });

  test('ends before a move that cannot be played', () => {
    expect(write(startFen, ['e2e4', 'e2e4'])).toHaveLength(1);
    expect(write('nonsense', ['e2e4'])).toEqual([]);
  });

  test('castles by the king stepping two squares', () => {
    const fen = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
    expect(write(fen, ['e1g1', 'e8c8']).map((move) => move.san)).toEqual(['O-O', 'O-O-O']);
  });

  test('is numbered from the move of the position, also when Black begins', () => {
    const fen = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
    expect(numbered(fen, write(fen, ['e7e5', 'g1f3']))).toBe('1… e5 2. Nf3');
  });
});

describe('a typed move', () => {
  const moves = [
    { uci: 'g1f3', san: 'Nf3' },
    { uci: 'e1g1', san: 'O-O' },
    { uci: 'b2c3', san: 'bxc3' },
    { uci: 'b4c3', san: 'Bxc3+' },
    { uci: 'e7e8n', san: 'e8=N#' },
  ];

  test.each([
    ['Nf3', 'g1f3'],
    ['nf3', 'g1f3'],
    ['g1f3', 'g1f3'],
    ['0-0', 'e1g1'],
    ['bc3', 'b2c3'],
    ['bxc3', 'b2c3'],
    ['Bc3', 'b4c3'],
    ['e8N', 'e7e8n'],
    ['e8=n', 'e7e8n'],
  ])('%s means %s', (text, uci) => {
    expect(find(text, moves)?.uci).toBe(uci);
  });

  test('that is not offered is not found', () => {
    expect(find('Qh5', moves)).toBeUndefined();
    expect(find('  ', moves)).toBeUndefined();
  });
});

describe('moves the server offers', () => {
  const fen = '8/P7/8/8/8/8/k6K/8 w - - 0 1';

  test('have a name each, and four where a pawn promotes', () => {
    const moves = offered(fen, { a7: ['a8'], h2: ['h1'] });
    expect(moves.map((move) => move.uci)).toEqual(['a7a8q', 'a7a8r', 'a7a8b', 'a7a8n', 'h2h1']);
    expect(moves[3]?.san).toBe('a8=N');
    expect(promotes(fen, 'h2', 'h1')).toBe(false);
  });
});

describe('castling', () => {
  test('can be shown by the rook where the server names the place, and is named as the server does', () => {
    const fen = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
    const legal = { e1: ['c1', 'd1', 'e2', 'f1', 'g1'] };
    expect(destinations(legal, fen).get('e1')).toEqual(['c1', 'd1', 'e2', 'f1', 'g1', 'a1', 'h1']);
    expect(meant(legal, fen, 'e1', 'h1')).toBe('e1g1');
    expect(meant(legal, fen, 'e1', 'g1')).toBe('e1g1');
  });

  test('of Chess960 can be shown by the place, unless a plain move ends there', () => {
    const fen = '1k6/8/8/8/8/8/8/R2K3R w HA - 0 1';
    const legal = { d1: ['a1', 'c1', 'e1', 'h1'] };
    expect(destinations(legal, fen).get('d1')).toEqual(['a1', 'c1', 'e1', 'h1', 'g1']);
    expect(meant(legal, fen, 'd1', 'g1')).toBe('d1h1');
    expect(meant(legal, fen, 'd1', 'c1')).toBe('d1c1');
    const written = write(fen, ['d1h1', 'b8b7']);
    expect(written.map(({ san }) => san)).toEqual(['O-O', 'Kb7']);
    expect(written[0]?.fen).toContain('R4RK1 b');
  });
});

describe('a score', () => {
  test('is written with its sign, mates with a hash', () => {
    expect(scoreText({ cp: 53 })).toBe('+0.53');
    expect(scoreText({ cp: -120 })).toBe('−1.20');
    expect(scoreText({ mate: -3 })).toBe('#−3');
    expect(scoreText({ mate: 0.5 })).toBe('#');
    expect([53, -31_999, 31_997].map((raw) => scoreText(recorded(raw)))).toEqual(['+0.53', '#−1', '#2']);
  });

  test('fills the bar evenly for both sides', () => {
    expect(share({ cp: 0 })).toBe(0.5);
    expect(share({ cp: 200 }) + share({ cp: -200 })).toBeCloseTo(1);
    expect(share({ mate: 2 })).toBe(1);
  });

  test('is said in words', () => {
    expect(scoreWords({ mate: -2 })).toBe('Black mates in 2');
    expect(scoreWords({ cp: 150 })).toBe('White is better by 1.50 pawns');
  });
});

test('a move is said as a person says it', () => {
  expect(spokenSan('Nxf6+')).toBe('knight takes f6, check');
  expect(spokenSan('e8=N#')).toBe('e8, promotes to knight, checkmate');
  expect(spokenSan('O-O-O')).toBe('castles queenside');
});

test('material is what one side has more of', () => {
  const fen = 'rnb1kbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1';
  expect(surplus(fen, 'white')).toEqual({ roles: ['queen'], points: 8 });
  expect(surplus(fen, 'black')).toEqual({ roles: ['pawn'], points: 0 });
});

test('clocks show tenths when little is left', () => {
  expect(clockText(303_000)).toBe('5:03');
  expect(clockText(9_450)).toBe('0:09.4');
  expect(clockText(3_720_000)).toBe('1:02:00');
  expect(clockText(-5)).toBe('0:00.0');
});

describe('what is pasted', () => {
  test('may be a FEN, short or whole', () => {
    expect(readStart('8/8/8/8/8/8/k6K/8 w')).toEqual({ fen: '8/8/8/8/8/8/k6K/8 w - - 0 1', moves: [] });
    expect(() => readStart('8/8/8/8/8/8/8/8 w - - 0 1')).toThrow(/no position/);
  });

  test('may be a PGN with marks, scores and castling', () => {
    const pgn = '[White "A"]\n\n1. e4 {[%eval 0.3] fine} e5 2. Nf3 $1 Nc6 3. Bc4 Bc5 4. O-O 1-0';
    const game = readGame(pgn);
    expect(game.headers.get('White')).toBe('A');
    expect(game.moves.at(-1)?.uci).toBe('e1g1');
    expect(game.moves[0]).toMatchObject({ score: { cp: 30 }, comment: 'fine' });
    expect(game.moves[2]?.nags).toEqual([1]);
  });

  test("may be seed 001's replay", () => {
    const game = readGame('{"moves":["e2e4","e7e5"],"white":"Human","black":"AI","result":"*"}');
    expect(game.moves.map((move) => move.san)).toEqual(['e4', 'e5']);
    expect(() => readGame('{"moves":["e2e5"]}')).toThrow(/"e2e5", cannot be played/);
  });

  test('may be several games, of which any is read', () => {
    const text = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 1-0\n\n[White "C"]\n\n1. d4 d5 *';
    const { titles, read } = readGames(text);
    expect(titles).toEqual(['A – B 1-0', 'C – ? *']);
    expect(read(1).moves.map((move) => move.san)).toEqual(['d4', 'd5']);
    expect(() => read(2)).toThrow(/no game/);
  });

  test('that is nothing of these says so', () => {
    expect(() => readGame('hello')).toThrow(/PGN, a replay or a FEN/);
  });
});

describe('a game written as PGN', () => {
  const game = { white: 'a "b"', black: 'c', result: '1-0', event: 'e', date: '2026.01.01' };

  test('is read back as it was, wherever it started', () => {
    const fen = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
    const moves = write(fen, ['e7e5', 'g1f3', 'b8c6']);
    const read = readGame(writePgn({ ...game, fen, moves }));
    expect(read.fen).toBe(fen);
    expect(read.moves.map((move) => move.uci)).toEqual(['e7e5', 'g1f3', 'b8c6']);
    expect(read.headers.get('White')).toBe('a "b"');
  });

  test('has lines that are short enough', () => {
    const ucis = Array.from({ length: 20 }, () => ['g1f3', 'g8f6', 'f3g1', 'f6g8']).flat();
    const text = writePgn({ ...game, fen: startFen, moves: write(startFen, ucis) });
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(80);
    expect(readGame(text).moves).toHaveLength(80);
  });
});

describe('time that is left', () => {
  test('is told in the two largest units', () => {
    const told = [0.4, 59, 61, 3599.6, 7290].map(leftInWords);
    expect(told).toEqual(['0 s', '59 s', '1 min 1 s', '1 h 0 min', '2 h 2 min']);
    expect(leftInWords(null)).toBe('–');
  });
});
