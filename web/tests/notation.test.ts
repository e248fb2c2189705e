import { describe, expect, test } from 'vitest';
import { clockText } from '../src/notation/clock';
import { find } from '../src/notation/entry';
import { leftInWords } from '../src/notation/grid';
import { numbered, startFen, write } from '../src/notation/line';
import { surplus } from '../src/notation/material';
import { destinations, meant, offered, promotes } from '../src/notation/offered';
import { recorded, scoreText, scoreWords, share } from '../src/notation/score';
import { spokenSan } from '../src/notation/speech';
import { mainLine, readGame, readStart, splitGames, titleOf, writeGame } from '../src/notation/pgn';
import { fenFault } from '../src/notation/position';

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
    expect(() => readStart('8/8/8/8/8/8/8/8 w - - 0 1')).toThrow(/White has 0 kings, expected 1/);
  });

  test('may be a PGN with marks, scores and castling', () => {
    const pgn = '[White "A"]\n\n1. e4 {[%eval 0.3] fine} e5 2. Nf3 $1 Nc6 3. Bc4 Bc5 4. O-O 1-0';
    const game = readGame(pgn);
    const moves = mainLine(game);
    expect(game.headers.get('White')).toBe('A');
    expect(moves.at(-1)?.uci).toBe('e1g1');
    expect(moves[0]).toMatchObject({ score: { cp: 30 }, comments: ['[%eval 0.3] fine'] });
    expect(moves[2]?.nags).toEqual([1]);
  });

  test("may be seed 001's replay", () => {
    const game = readGame('{"moves":["e2e4","e7e5"],"white":"Human","black":"AI","result":"*"}');
    expect(mainLine(game).map((move) => move.san)).toEqual(['e4', 'e5']);
    expect(readGame('{"moves":["e2e4", "e2e5"]}').faults).toEqual([
      'Move 2 of the list, "e2e5", is not legal; the moves before it are kept.',
    ]);
  });

  test('may be several games, with tags or without, each as it stands', () => {
    const text =
      '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 1-0\n\n[White "C"]\n\n1. d4 {a\n\n[b "c"]} d5 *\n\n1. c4 *';
    const games = splitGames(text);
    expect(games.map(titleOf)).toEqual(['A – B 1-0', 'C – ? *', '? – ? *']);
    expect(games.map((game) => mainLine(readGame(game)).map((move) => move.san))).toEqual([
      ['e4'],
      ['d4', 'd5'],
      ['c4'],
    ]);
    expect(games.join('\n\n')).toBe(text);
  });

  test('that is nothing of these says so', () => {
    expect(() => readGame('hello')).toThrow(/"hello" is not a move/);
    expect(() => readGame('')).toThrow(/PGN, a replay or a FEN/);
  });

  test.each([
    ['1. e4 Zz5 2. Nf3', ['e4'], /Line 1: "Zz5" is not a move/],
    ['1. e4 e5\n2. Qh6 Nc6', ['e4', 'e5'], /2\. Qh6 is not legal/],
    ['1. e4 -- 2. d4', ['e4'], /null move/],
    ['1. e4 {never closed e5', ['e4'], /never closed/],
  ])('%s: what could be read is kept, and the rest is told', (text, moves, fault) => {
    const game = readGame(text);
    expect(mainLine(game).map((move) => move.san)).toEqual(moves);
    expect(game.faults.join()).toMatch(fault);
  });

  test.each([
    ['8/8/8/8/8/8/8 w - - 0 1', /7 ranks, expected 8/],
    ['8/8/8/8/8/9/8/8 w - - 0 1', /rank 3 has "9"/],
    ['rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', /rank 7 has 9 squares, expected 8/],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1', /side to move is "x"/],
    ['k6P/8/8/8/8/8/8/K7 w - - 0 1', /a pawn stands on/],
    ['k7/8/8/8/8/8/8/KR6 w - - 0 1', undefined],
    ['kR6/8/8/8/8/8/8/K7 w - - 0 1', /in check/],
  ])('%s is told what is wrong with it', (fen, fault) => {
    if (fault) expect(fenFault(fen)).toMatch(fault);
    else expect(fenFault(fen)).toBeUndefined();
  });
});

describe('a game written as PGN', () => {
  const rewritten = (text: string): string => writeGame(readGame(text));

  test('has every side line, comment and glyph that it was read with', () => {
    const text = [
      '[Event "e"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "a \\"b\\""]\n[Black "c"]\n[Result "1-0"]',
      '[FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"]',
    ].join('\n');
    const moves =
      '{ before } 1... e5 $1 $14 { [%eval 0.3] good } ( { or } 1... c5 2. Nf3 ( 2. c3 d5 ( 2... Nf6 $6 ) 3. exd5 ) 2... d6 ) 2. Nf3 Nc6 1-0';
    const once = rewritten(`${text}\n\n${moves}`);
    expect(once.replace(/\s+/g, ' ')).toContain(moves.slice(0, -4));
    expect(once).toContain('[White "a \\"b\\""]');
    expect(rewritten(once)).toBe(once);
  });

  test('keeps comments to the end of the line, and blank lines between moves', () => {
    const game = readGame("1. e4 ; the king's pawn {so}\n\n1... e5 ({or} 1... c5) 2. Nf3 $146");
    const [first, second, third] = mainLine(game);
    expect(first?.comments).toEqual(["the king's pawn {so)"]);
    expect(second?.san).toBe('e5');
    expect(first?.children[1]?.before).toEqual(['or']);
    expect(third?.nags).toEqual([146]);
    expect(game.faults).toEqual([]);
  });

  test('has lines that are short enough', () => {
    const sans = Array.from(
      { length: 20 },
      (_, round) => `${2 * round + 1}. Nf3 Nf6 ${2 * round + 2}. Ng1 Ng8`,
    );
    const text = rewritten(sans.join(' '));
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(80);
    expect(mainLine(readGame(text))).toHaveLength(80);
  });

  test('can be as deep as a file is long', () => {
    let text = '';
    for (let depth = 0; depth < 400; depth += 1) text += depth % 2 ? '(1. Nh3 Nh6 ' : '(1. Nf3 Nf6 ';
    const nested = `1. e4 ${text}${')'.repeat(400)}`;
    expect(() => rewritten(nested)).not.toThrow();
  });
});

describe('time that is left', () => {
  test('is told in the two largest units', () => {
    const told = [0.4, 59, 61, 3599.6, 7290].map(leftInWords);
    expect(told).toEqual(['0 s', '59 s', '1 min 1 s', '1 h 0 min', '2 h 2 min']);
    expect(leftInWords(null)).toBe('–');
  });
});
