/**
 * Games as text: PGN with side lines of any depth, comments and glyphs, JSON replays, FENs. What cannot be read is told with its
 * line; what could be read is kept, and games that were not changed are written as they came.
 */
import { castlingSide, type Position } from 'chessops/chess';
import { makeFen } from 'chessops/fen';
import {
  ChildNode,
  emptyHeaders,
  makePgn,
  Node,
  parseComment,
  PgnParser,
  startingPosition,
  type Game as PgnGame,
  type PgnNodeData,
} from 'chessops/pgn';
import { makeSan, parseSan } from 'chessops/san';
import type { Move } from 'chessops/types';
import { kingCastlesTo, makeUci } from 'chessops/util';
import { m } from '../text/catalogue.svelte';
import { numbered, startFen, write } from './line';
import { checkedFen, looksLikeFen } from './position';
import type { Score } from './score';

/** A move of a game that was read, and what may follow it; the first is the main line. */
export interface ReadNode {
  uci: string;
  san: string;
  fen: string;
  /** Numeric annotation glyphs: 1 is `!`, 2 is `?`. */
  nags: number[];
  /** As written, with commands such as `[%eval 0.3]`. */
  comments: string[];
  /** Comments before the first move of a side line. */
  before: string[];
  score?: Score | undefined;
  children: ReadNode[];
}

export interface ReadGame {
  fen: string;
  headers: Map<string, string>;
  /** Before the first move. */
  comments: string[];
  children: ReadNode[];
  /** What was not understood, in sentences. */
  faults: string[];
}

/** The main line of a game. */
export function mainLine(game: { children: ReadNode[] }): ReadNode[] {
  const line: ReadNode[] = [];
  for (let node = game.children[0]; node; node = node.children[0]) line.push(node);
  return line;
}

/** Reads a PGN, a JSON replay or a FEN; throws what is wrong where there is no game at all. */
export function readGame(text: string): ReadGame {
  const trimmed = text.trim();
  if (trimmed.startsWith('{') && /^\{\s*"/.test(trimmed)) return readReplay(trimmed);
  if (looksLikeFen(trimmed)) {
    return { fen: checkedFen(trimmed), headers: new Map(), comments: [], children: [], faults: [] };
  }
  return readPgn(trimmed);
}

/** The main line of what was pasted, for a new game. Nothing may be left out of it. */
export function readStart(text: string): { fen?: string; moves?: string[] } {
  if (text.trim() === '') return {};
  const game = readGame(text);
  if (game.faults[0]) throw new Error(game.faults[0]);
  return { ...(game.fen === startFen ? {} : { fen: game.fen }), moves: mainLine(game).map(({ uci }) => uci) };
}

/** Games of one text, as they stand there. They are read when they are opened. */
export function splitGames(text: string): string[] {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed.startsWith('{') || looksLikeFen(trimmed)) return [trimmed];
  const games: string[] = [];
  let lines: string[] = [];
  let inComment = false;
  let moves = false;
  let ended = false;
  let blank = false;
  const finish = (): void => {
    if (lines.some((line) => line.trim() !== '')) games.push(lines.join('\n').trim());
    lines = [];
    moves = false;
  };
  for (const line of trimmed.split(/\r?\n/)) {
    const isTag = !inComment && /^\s*\[\w+\s+"/.test(line);
    if (!inComment && line.trim() !== '' && ((isTag && moves) || (ended && blank))) finish();
    lines.push(line);
    if (line.trim() === '') {
      blank = true;
      continue;
    }
    blank = false;
    // Most lines have no comments; large files have many lines.
    for (const [sign] of line.matchAll(/[{};]/g)) {
      if (sign === '{') inComment = true;
      else if (sign === '}') inComment = false;
      else if (!inComment) break;
    }
    if (!isTag) moves = true;
    ended = !inComment && /(?:1-0|0-1|1\/2-1\/2|\*)\s*$/.test(line);
  }
  finish();
  return games;
}

const tagPatterns = new Map(
  ['White', 'Black', 'Result', 'Event', 'Date'].map((name) => [
    name,
    new RegExp(`^\\s*\\[${name}\\s+"((?:[^"\\\\]|\\\\.)*)"`, 'm'),
  ]),
);
/** Where tags end at the latest: a file may have tens of thousands of games to be named. */
const tagLength = 4000;

/** What a game of a file is called, from its tags alone. */
export function titleOf(text: string): string {
  const head = text.slice(0, tagLength);
  const tag = (name: string): string | undefined =>
    tagPatterns.get(name)?.exec(head)?.[1]?.replace(/\\(.)/g, '$1');
  const event = [tag('Event'), tag('Date')?.slice(0, 4)].filter((word) => word && !/^[?.]+$/.test(word));
  const names = `${tag('White') ?? '?'} – ${tag('Black') ?? '?'} ${tag('Result') ?? '*'}`;
  return event.length > 0 ? `${names} (${event.join(' ')})` : names;
}

interface Replay {
  moves: string[];
  fen?: string;
  white?: string;
  black?: string;
  event?: string;
  result?: string;
  timestamp?: string;
}

function readReplay(text: string): ReadGame {
  let replay: Replay;
  try {
    replay = JSON.parse(text) as Replay;
  } catch (error) {
    throw new Error(m.fault.json(error instanceof Error ? error.message : String(error)), { cause: error });
  }
  if (!Array.isArray(replay.moves)) throw new Error(m.fault.replay);
  const fen = replay.fen ? checkedFen(replay.fen) : startFen;
  const moves = write(fen, replay.moves);
  const faults =
    moves.length < replay.moves.length
      ? [m.fault.replayMove(moves.length + 1, String(replay.moves[moves.length]))]
      : [];
  const { white, black, event, result, timestamp } = replay;
  const names: [string, string | undefined][] = [
    ['White', white],
    ['Black', black],
    ['Event', event],
    ['Result', result],
    ['Date', timestamp?.slice(0, 10).replaceAll('-', '.')],
  ];
  const headers = new Map(names.flatMap(([key, value]) => (value ? [[key, value] as const] : [])));
  const children = moves.reduceRight<ReadNode[]>(
    (after, move) => [{ ...move, nags: [], comments: [], before: [], children: after }],
    [],
  );
  return { fen, headers, comments: [], children, faults };
}

const san =
  /^(?:[NBKRQ]?[a-h]?[1-8]?[-x]?[a-h][1-8](?:=?[nbrqkNBRQK])?|[O0o][-–—][O0o](?:[-–—][O0o])?)[+#]?$/;
const otherWords = /^(?:\d*[.…]*|e\.?p\.?|\*|1[-–—]0|0[-–—]1|1\/2[-–—]1\/2)$/;
const tagPair = /^\s*\[[A-Za-z0-9][A-Za-z0-9_+#=:-]*\s+"(?:[^"\\]|\\.)*"\s*\]/;

/**
 * A game's text as the parser can read all of it: comments to the end of a line become comments in braces, and no blank line
 * divides the moves. A word that is no move becomes a null move, where reading stops; each is told.
 */
export function prepared(text: string): { text: string; faults: string[] } {
  const faults: string[] = [];
  const out: string[] = [];
  let inComment = false;
  let inMoves = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (!inComment && line.startsWith('%')) continue;
    if (!inComment && !inMoves && (tagPair.test(line) || line.trim() === '')) {
      out.push(line);
      continue;
    }
    if (!inComment && line.trim() === '') continue;
    inMoves = true;
    let written = '';
    for (const { 0: part, index: at } of line.matchAll(/[{}();]|\$\d+|[?!]+|[^\s{}();$?!]+|\s+|\$/g)) {
      if (inComment) {
        written += part;
        if (part === '}') inComment = false;
      } else if (part === '{') {
        written += part;
        inComment = true;
      } else if (part === ';') {
        written += `{ ${line
          .slice(at + 1)
          .replaceAll('}', ')')
          .trim()} }`;
        break;
      } else written += word(part, index + 1, faults);
    }
    out.push(written);
  }
  if (inComment) faults.push(m.fault.comment);
  return { text: out.join('\n'), faults };
}

function word(part: string, line: number, faults: string[]): string {
  if (/^(?:\s+|[()]|\$\d+|[?!]{1,2})$/.test(part)) return part;
  const move = part.replace(/^\d+\s*[.…]+/, '').replace(/^\.+/, '');
  if (san.test(move) || otherWords.test(part) || otherWords.test(move)) return part;
  if (/^(?:--|Z0|0000|@@@@)$/.test(move)) {
    faults.push(m.fault.nullMove(line));
    return part;
  }
  faults.push(m.fault.word(part.slice(0, 20), line));
  return ' -- ';
}

function readPgn(text: string): ReadGame {
  const { text: readable, faults } = prepared(text);
  const games: PgnGame<PgnNodeData>[] = [];
  new PgnParser((game) => games.push(game), emptyHeaders, Infinity).parse(readable);
  const game = games[0];
  if (!game || (game.moves.children.length === 0 && game.headers.size === 0)) throw new Error(m.fault.noGame);
  const start = startingPosition(game.headers).unwrap(
    (position) => position,
    () => {
      // Says what is wrong with the tag.
      checkedFen(game.headers.get('FEN') ?? '');
      throw new Error(m.fault.variant(game.headers.get('Variant') ?? ''));
    },
  );
  const read: ReadGame = {
    fen: makeFen(start.toSetup()),
    headers: game.headers,
    comments: game.comments ?? [],
    children: [],
    faults,
  };
  follow(game.moves, start, read.children, faults);
  if (read.children.length === 0 && !game.headers.has('FEN')) {
    if (faults.length > 0 && game.moves.children.length > 0) throw new Error(faults[0]);
    throw new Error(m.fault.noMove);
  }
  return read;
}

/** Plays all lines from a node. An explicit stack: a game may be deeper than calls can nest. */
function follow(root: Node<PgnNodeData>, start: Position, target: ReadNode[], faults: string[]): void {
  const open = [{ node: root, position: start, target }];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const waiting: typeof open = [];
    for (const child of entry.node.children) {
      const position = entry.position.clone();
      const move = child.data.san === '--' ? undefined : parseSan(position, child.data.san);
      if (!move) {
        if (child.data.san !== '--') {
          const number = numbered(makeFen(position.toSetup()), [{ san: child.data.san, uci: '', fen: '' }]);
          faults.push(m.fault.illegal(number));
        }
        continue;
      }
      const written = makeSan(position, move);
      const uci = makeUci(plain(position, move));
      position.play(move);
      const node: ReadNode = {
        uci,
        san: written,
        fen: makeFen(position.toSetup()),
        nags: child.data.nags ?? [],
        comments: child.data.comments ?? [],
        before: child.data.startingComments ?? [],
        score: scoreIn(child.data.comments ?? []),
        children: [],
      };
      entry.target.push(node);
      waiting.push({ node: child, position, target: node.children });
    }
    open.push(...waiting.reverse());
  }
}

/** Castling as the king's two steps in standard chess; chessops writes it as the king taking its rook. */
function plain(position: Position, move: Move): Move {
  const side = castlingSide(position, move);
  if (!side || !('from' in move)) return move;
  const from = move.from % 8;
  const to = 'to' in move ? move.to % 8 : 0;
  // Elsewhere than from the usual squares it is Chess960, where the rook's square is the move.
  return from === 4 && (to === 0 || to === 7 || Math.abs(to - from) === 2)
    ? { ...move, to: kingCastlesTo(position.turn, side) }
    : move;
}

function scoreIn(comments: string[]): Score | undefined {
  const evaluation = comments.map(parseComment).find((comment) => comment.evaluation)?.evaluation;
  if (!evaluation) return undefined;
  return 'mate' in evaluation ? { mate: evaluation.mate } : { cp: Math.round(evaluation.pawns * 100) };
}

/** What people read of comments: without the commands. */
export function proseOf(comments: string[]): string {
  return comments
    .map((comment) => comment.replace(/\s*\[%[^\]]*\]\s*/g, ' ').trim())
    .filter(Boolean)
    .join(' ');
}

/** Comments with other prose: commands stay as they are. */
export function withProse(comments: string[], prose: string): string[] {
  const commands = comments.flatMap((comment) => comment.match(/\[%[^\]]*\]/g) ?? []).join(' ');
  const text = [commands, prose.trim()].filter(Boolean).join(' ');
  return text === '' ? [] : [text];
}

/** Comments that tell a score: the score given, in place of what they said. */
export function withScore(comments: string[], score: Score | undefined): string[] {
  if (!score) return comments;
  const without = comments
    .map((comment) => comment.replace(/\s?\[%eval [^\]]*\]\s?/g, ' ').trim())
    .filter(Boolean);
  const mate = score.mate ?? undefined;
  // A position in which mate has been given has no score of its own.
  if (mate !== undefined && Math.abs(mate) < 1) return without;
  const text = mate === undefined ? ((score.cp ?? 0) / 100).toFixed(2) : `#${mate}`;
  const [first, ...rest] = without;
  return [[`[%eval ${text}]`, first].filter(Boolean).join(' '), ...rest];
}

export interface WrittenNode {
  san: string;
  nags: number[];
  comments: string[];
  before: string[];
  children: WrittenNode[];
}

/** Lines end before this many characters, as the format's export form has it. */
const width = 80;

/** A game as PGN. The seven tags every game has come first. */
export function writeGame(game: {
  fen: string;
  headers: Map<string, string>;
  comments: string[];
  children: WrittenNode[];
}): string {
  const headers = new Map<string, string>();
  for (const [tag, unknown] of roster) headers.set(tag, game.headers.get(tag) ?? unknown);
  for (const [tag, value] of game.headers) headers.set(tag, value);
  if (game.fen !== startFen) headers.set('SetUp', '1').set('FEN', game.fen);
  const moves = new Node<PgnNodeData>();
  const open = [{ from: game.children, to: moves }];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    for (const node of entry.from) {
      const child = new ChildNode<PgnNodeData>({
        san: node.san,
        nags: node.nags,
        comments: node.comments,
        startingComments: node.before,
      });
      entry.to.children.push(child);
      open.push({ from: node.children, to: child });
    }
  }
  const [head = '', body = ''] = halves(makePgn({ headers, comments: game.comments, moves }));
  return `${head}\n\n${wrapped(body.trim())}\n`;
}

const roster: [string, string][] = [
  ['Event', '?'],
  ['Site', '?'],
  ['Date', '????.??.??'],
  ['Round', '?'],
  ['White', '?'],
  ['Black', '?'],
  ['Result', '*'],
];

function halves(pgn: string): [string, string] {
  const at = pgn.indexOf('\n\n');
  return [pgn.slice(0, at), pgn.slice(at + 2)];
}

/** Breaks lines between words; inside a comment every space and line break stays as it is. */
function wrapped(text: string): string {
  const lines = [''];
  for (const [word] of text.matchAll(/\{[^}]*\}|\S+/g)) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
}
