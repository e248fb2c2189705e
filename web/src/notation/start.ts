/** Where a game starts, from what a person pastes: a FEN, a PGN, a replay, or nothing. */
import { castlingSide, type Position } from 'chessops/chess';
import { makeFen } from 'chessops/fen';
import {
  parseComment,
  parsePgn,
  startingPosition,
  type Game as PgnGame,
  type PgnNodeData,
} from 'chessops/pgn';
import { makeSan, parseSan } from 'chessops/san';
import type { Move } from 'chessops/types';
import { kingCastlesTo, makeUci } from 'chessops/util';
import { faultOf, startFen, write } from './line';
import type { Score } from './score';

/** A move of a game that was read. */
export interface ReadMove {
  uci: string;
  san: string;
  fen: string;
  comment?: string | undefined;
  nags?: number[] | undefined;
  score?: Score | undefined;
}

export interface ReadGame {
  fen: string;
  moves: ReadMove[];
  headers: Map<string, string>;
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

/** Reads a PGN, a JSON replay or a FEN; says what is wrong with it otherwise. */
export function readGame(text: string): ReadGame {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return readReplay(trimmed);
  if (looksLikeFen(trimmed)) return { fen: checked(trimmed), moves: [], headers: new Map() };
  return readPgn(trimmed);
}

/** Several games of one text: what each is called, and any of them when it is asked for. */
export interface Collection {
  titles: string[];
  read: (index: number) => ReadGame;
}

export function readGames(text: string): Collection {
  const trimmed = text.trim();
  if (trimmed.startsWith('{') || looksLikeFen(trimmed)) {
    const game = readGame(trimmed);
    return { titles: [titleOf(game.headers)], read: () => game };
  }
  const games = parsePgn(trimmed).filter((game) => game.moves.children.length > 0 || game.headers.has('FEN'));
  return {
    titles: games.map((game) => titleOf(game.headers)),
    read: (index) => follow(games[index]),
  };
}

function titleOf(headers: Map<string, string>): string {
  return `${headers.get('White') ?? '?'} – ${headers.get('Black') ?? '?'} ${headers.get('Result') ?? '*'}`;
}

/** What a new game needs of it. */
export function readStart(text: string): { fen?: string; moves?: string[] } {
  if (text.trim() === '') return {};
  const { fen, moves } = readGame(text);
  return { ...(fen === startFen ? {} : { fen }), moves: moves.map((move) => move.uci) };
}

function looksLikeFen(text: string): boolean {
  return /^\s*[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}(\s|$)/.test(text);
}

function checked(fen: string): string {
  const fields = fen.split(/\s+/);
  const whole = [...fields, ...['', 'w', '-', '-', '0', '1'].slice(fields.length)].join(' ');
  const fault = faultOf(whole);
  if (fault) throw new Error(`"${fen}" is no position: ${fault}`);
  return whole;
}

function readReplay(text: string): ReadGame {
  const replay = JSON.parse(text) as Replay;
  if (!Array.isArray(replay.moves)) throw new Error('a replay has a list "moves" of moves such as "e2e4"');
  const fen = replay.fen ? checked(replay.fen) : startFen;
  const moves = write(fen, replay.moves);
  if (moves.length < replay.moves.length) {
    throw new Error(
      `move ${moves.length + 1} of the replay, "${replay.moves[moves.length]}", cannot be played`,
    );
  }
  const { white, black, event, result, timestamp } = replay;
  const names: [string, string | undefined][] = [
    ['White', white],
    ['Black', black],
    ['Event', event],
    ['Result', result],
    ['Date', timestamp?.slice(0, 10).replaceAll('-', '.')],
  ];
  return {
    fen,
    moves,
    headers: new Map(names.flatMap(([key, value]) => (value ? [[key, value] as const] : []))),
  };
}

function readPgn(text: string): ReadGame {
  return follow(parsePgn(text)[0]);
}

/** Plays a game through its main line. */
function follow(game: PgnGame<PgnNodeData> | undefined): ReadGame {
  if (!game) throw new Error('there is no game in this text; paste a PGN, a replay or a FEN');
  const position = startingPosition(game.headers).unwrap();
  const fen = makeFen(position.toSetup());
  const moves: ReadMove[] = [];
  for (const node of game.moves.mainline()) {
    const move = parseSan(position, node.san);
    if (!move) throw new Error(`move ${moves.length + 1}, "${node.san}", cannot be played`);
    const san = makeSan(position, move);
    const uci = makeUci(plain(position, move));
    position.play(move);
    moves.push({ uci, san, fen: makeFen(position.toSetup()), ...annotations(node) });
  }
  if (moves.length === 0 && !game.headers.has('FEN')) {
    throw new Error('there is no move in this text; paste a PGN, a replay or a FEN');
  }
  return { fen, moves, headers: game.headers };
}

/** Castling as the king's two steps; chessops writes it as the king taking its rook. */
function plain(position: Position, move: Move): Move {
  const side = castlingSide(position, move);
  return side ? { ...move, to: kingCastlesTo(position.turn, side) } : move;
}

function annotations(node: PgnNodeData): Pick<ReadMove, 'comment' | 'nags' | 'score'> {
  const comments = (node.comments ?? []).map(parseComment);
  const evaluation = comments.find((comment) => comment.evaluation)?.evaluation;
  const score = !evaluation
    ? undefined
    : 'mate' in evaluation
      ? { mate: evaluation.mate }
      : { cp: Math.round(evaluation.pawns * 100) };
  const comment = comments
    .map(({ text }) => text)
    .filter(Boolean)
    .join(' ');
  return { score, nags: node.nags, comment: comment || undefined };
}
