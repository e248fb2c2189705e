/** A game gone through afterwards: its moves, what each position is worth, and which moves gave something away. */
import * as api from '../api/client';
import { turnOf } from '../board/pieces';
import { journalName, readJournal } from '../notation/journal';
import { startFen, write } from '../notation/line';
import { mark, markOfNags } from '../notation/marks';
import { recorded, type Score } from '../notation/score';
import type { Collection } from '../notation/start';
import { MoveTree, type GivenMove } from './tree.svelte';

/** How long the engine looks at each position, in milliseconds. */
const glance = 250;

export class Review {
  tree = new MoveTree();
  names = $state<{ white: string; black: string; result: string; event: string }>();
  /** What each position of the main line is worth, from the start on. */
  scores = $state<(Score | undefined)[]>([]);
  /** Positions looked at so far, while the engine goes through the game. */
  progress = $state<number>();
  problem = $state('');
  /** What the games of the file are called, and which of them is shown. */
  titles = $state.raw<string[]>([]);
  picked = $state(0);
  #collection: Collection | undefined;
  #asked: AbortController | undefined;

  /** The main line as it was loaded; variations do not change it. */
  get line(): { uci: string; san: string; fen: string; mark?: string | undefined }[] {
    const moves = [];
    for (let node = this.tree.root.children[0]; node; node = node.children[0]) moves.push(node);
    return moves;
  }

  get loaded(): boolean {
    return this.names !== undefined;
  }

  async open(id: string): Promise<void> {
    try {
      const game = await api.game(id);
      this.titles = [];
      const moves = game.moves.map((move) => ({
        ...move,
        score: scoreOf(move),
        comment: move.comment ?? undefined,
      }));
      this.#take(game.start_fen, moves, {
        white: game.white.name,
        black: game.black.name,
        result: game.outcome?.result ?? '*',
        event: game.outcome?.words ?? '',
      });
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** A game of a match, from its journal. */
  async openRun(run: string, number: number): Promise<void> {
    try {
      this.titles = [];
      const games = readJournal(await api.artefactText(run, journalName));
      const game = games.find((candidate) => candidate.game === number);
      if (!game) throw new Error(`there is no game ${number} in ${run}`);
      const start = game.start ?? startFen;
      const moves = write(start, game.moves).map((move, index) => {
        const own = game.scores[index];
        const sign = turnOf(move.fen) === 'black' ? 1 : -1;
        return { ...move, score: own == null ? undefined : recorded(sign * own) };
      });
      const { white, black, result, reason } = game;
      this.#take(start, moves, { white, black, result, event: `Game ${number + 1} of ${run}, by ${reason}` });
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  async read(text: string): Promise<void> {
    try {
      const { readGames } = await import('../notation/start');
      this.#collection = readGames(text);
      this.titles = this.#collection.titles;
      this.pick(0);
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** Another game of the same file. */
  pick(index: number): void {
    if (!this.#collection) return;
    try {
      const { fen, moves, headers } = this.#collection.read(index);
      const given = moves.map((move) => ({ ...move, mark: markOfNags(move.nags) }));
      this.picked = index;
      this.#take(fen, given, {
        white: headers.get('White') ?? 'White',
        black: headers.get('Black') ?? 'Black',
        result: headers.get('Result') ?? '*',
        event: [headers.get('Event'), headers.get('Date')]
          .filter((word) => word && !/^[?.]+$/.test(word))
          .join(', '),
      });
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  #take(fen: string, moves: GivenMove[], names: NonNullable<Review['names']>): void {
    this.stop();
    this.problem = '';
    this.tree.reset(fen, moves);
    this.names = names;
    this.scores = [undefined, ...moves.map((move) => move.score)];
    if (moves.some((move) => move.score)) this.#judge();
  }

  /** The engine looks at every position, one after the other. */
  async analyse(): Promise<void> {
    this.stop();
    const asked = new AbortController();
    this.#asked = asked;
    const positions = [this.tree.root.fen, ...this.line.map((move) => move.fen)];
    try {
      for (const [index, fen] of positions.entries()) {
        this.progress = index;
        this.scores[index] = await worth(fen, asked.signal);
        if (asked.signal.aborted) return;
        this.#judge();
      }
    } catch (error) {
      if (!asked.signal.aborted) this.problem = error instanceof Error ? error.message : String(error);
    }
    this.progress = undefined;
  }

  stop(): void {
    this.#asked?.abort();
    this.progress = undefined;
  }

  /** Marks the moves of the main line by what their positions are worth. */
  #judge(): void {
    let ply = 0;
    for (let node = this.tree.root.children[0]; node; node = node.children[0]) {
      ply += 1;
      node.score = this.scores[ply];
      const mover = turnOf(node.parent?.fen ?? '');
      node.mark = mark(this.scores[ply - 1], this.scores[ply], mover) ?? node.mark;
    }
  }
}

/** What a position is worth to the engine at a glance; where the game is over in it, by its result. */
async function worth(fen: string, signal: AbortSignal): Promise<Score | undefined> {
  const { outcome, turn } = await api.position(fen, signal);
  if (outcome) return outcome.winner ? { mate: turn === 'white' ? -0.5 : 0.5 } : { cp: 0 };
  return new Promise((done, failed) => {
    let last: Score | undefined;
    const stop = api.lines(
      fen,
      { movetime_ms: String(glance) },
      {
        line: (line) => (last = scoreOf(line)),
        end: (problem) => (problem ? failed(new Error(problem)) : done(last)),
      },
    );
    signal.addEventListener('abort', () => {
      stop();
      done(undefined);
    });
  });
}

function scoreOf(line: { score_cp?: number | null; mate?: number | null }): Score | undefined {
  if (line.score_cp == null && line.mate == null) return undefined;
  return { cp: line.score_cp, mate: line.mate };
}
