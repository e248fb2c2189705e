/**
 * The analysis board's one tree, where it came from, and what the engine found in it. There is one for the whole page: it goes on
 * while another page is looked at, and it is kept over a reload.
 */
import * as api from '../api/client';
import { turnOf } from '../board/pieces';
import { played, type Played } from '../notation/accuracy';
import { journalName, readJournal } from '../notation/journal';
import { startFen, write } from '../notation/line';
import { isOnlyMove, mark, tally, type Tally } from '../notation/marks';
import { readGame, splitGames, titleOf, type ReadNode } from '../notation/pgn';
import { checkedFen, standing } from '../notation/position';
import { recorded, scoreOf, type Score } from '../notation/score';
import { m } from '../text/catalogue.svelte';
import type { Route } from './address';
import { keepTexts, keptTexts } from './storage';
import { MoveTree, type Analysed, type KeptTree } from './tree.svelte';

/** Nodes that each position of a game is searched for: by nodes and with one thread, the same game gets the same marks. */
const nodes = 60_000;
const analyst = 'engine(threads=1,hash=16)';
/** How long to wait for a server that is away or full, in milliseconds. */
const patience = 1500;
/** How long changes are gathered before they are kept, in milliseconds. */
const gathering = 150;

const key = 'tabia.analysis';
const keyBefore = 'tabia.analysis.before';
const fileKey = 'analysis';

interface Kept {
  source: string;
  picked: number;
  tree: KeptTree;
}

/** One side's part in a game that was analysed. */
export interface Verdict extends Tally {
  played: Played;
}

export class Analysis {
  tree = new MoveTree();
  /** The address that the tree was opened by; empty for one's own. */
  source = $state('');
  /** Games of the file that was opened, as they stand in it. */
  games = $state.raw<string[]>([]);
  picked = $state(0);
  /** What could not be read, in sentences. */
  faults = $state.raw<string[]>([]);
  problem = $state('');
  /** Positions analysed so far and in all, while the engine goes through the game. */
  progress = $state<{ done: number; all: number }>();
  /** Why it does not go on for now. */
  waiting = $state('');
  /** Whether there is an analysis from before that can be gone back to. */
  hasBefore = $state(false);
  #asked: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading: AbortController | undefined;

  constructor() {
    this.#restore(key);
    this.hasBefore = stored(keyBefore) !== undefined;
    void keptTexts(fileKey).then((texts) => {
      if (this.games.length > 0 || this.source !== '' || texts.length === 0) return;
      this.games = texts;
      this.#inDatabase = texts;
    });
    // Changes are kept a little after they are made, and at once where the page is left.
    $effect.root(() => {
      $effect(() => {
        void this.tree.version;
        void this.tree.current;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.keep(), gathering);
      });
    });
    addEventListener('pagehide', () => this.keep());
  }

  /** What each position of the main line is worth, from the start on. */
  get scores(): (Score | undefined)[] {
    return [this.tree.root, ...this.tree.main].map((node) => node.analysed?.score ?? node.score);
  }

  /** Whether the engine has looked at every position of the main line. */
  get complete(): boolean {
    const { main, root } = this.tree;
    return main.length > 0 && root.analysed !== undefined && main.every((node) => node.analysed);
  }

  /** How a side played; nothing before the whole game was analysed. */
  verdict(side: 'white' | 'black'): Verdict | undefined {
    if (!this.complete) return undefined;
    const moves = this.tree.main.map((node) => ({
      before: node.parent?.analysed?.score,
      after: node.analysed?.score,
      mover: turnOf(node.parent?.fen ?? ''),
      judged: node.judged,
    }));
    const result = played(moves, side);
    const own = moves.filter(({ mover }) => mover === side);
    return result ? { played: result, ...tally(own.map(({ judged }) => judged)) } : undefined;
  }

  /** Shows what an address names; the tree that is open already is not read again. */
  async open({ id, query }: Route): Promise<void> {
    const source = id ? `game/${id}` : query.toString();
    if (source === '' || source === this.source) return;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    try {
      if (id) await this.#openGame(id, source, loading.signal);
      else if (query.has('run')) {
        await this.#openRun(query.get('run') ?? '', Number(query.get('game')), source, loading.signal);
      } else if (query.has('fen') || query.has('line')) this.#openLine(query, source);
    } catch (error) {
      if (!loading.signal.aborted) this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  async #openGame(id: string, source: string, signal: AbortSignal): Promise<void> {
    const game = await api.game(id);
    if (signal.aborted) return;
    const headers = new Map([
      ['Event', 'Tabia'],
      ['Date', game.created_at.slice(0, 10).replaceAll('-', '.')],
      ['White', game.white.name],
      ['Black', game.black.name],
      ['Result', game.outcome?.result ?? '*'],
    ]);
    if (game.variant === 'chess960') headers.set('Variant', 'Chess960');
    const moves = game.moves.map((move) => ({
      uci: move.uci,
      san: move.san,
      fen: move.fen,
      score: scoreOf(move),
      comments: move.comment ? [move.comment] : [],
    }));
    this.#begin(source, () => this.tree.reset(game.start_fen, lined(moves), headers));
  }

  /** A game of a match, from its journal. */
  async #openRun(run: string, number: number, source: string, signal: AbortSignal): Promise<void> {
    const games = readJournal(await api.artefactText(run, journalName));
    if (signal.aborted) return;
    const game = games.find((candidate) => candidate.game === number);
    if (!game) throw new Error(m.analyse.noGameInRun(number + 1, run));
    const start = game.start ?? startFen;
    const moves = write(start, game.moves).map((move, index) => {
      const own = game.scores[index];
      const sign = turnOf(move.fen) === 'black' ? 1 : -1;
      return { ...move, comments: [], score: own == null ? undefined : recorded(sign * own) };
    });
    const headers = new Map([
      ['Event', m.analyse.gameOfRun(number + 1, run)],
      ['White', game.white],
      ['Black', game.black],
      ['Result', game.result],
      ['Termination', game.reason],
    ]);
    this.#begin(source, () => this.tree.reset(start, lined(moves), headers));
  }

  /** A position, and moves from it: what a shared link has. */
  #openLine(query: URLSearchParams, source: string): void {
    const fen = query.has('fen') ? checkedFen((query.get('fen') ?? '').replaceAll('_', ' ')) : startFen;
    const ucis = (query.get('line') ?? '').split('.').filter(Boolean);
    const moves = write(fen, ucis);
    this.#begin(source, () => {
      this.tree.reset(fen, lined(moves.map((move) => ({ ...move, comments: [], score: undefined }))));
      this.tree.go(moves.length);
    });
    const refused = ucis[moves.length];
    if (refused !== undefined) this.faults = [m.fault.replayMove(moves.length + 1, refused)];
  }

  /** Reads a text: a PGN with one game or many, a replay, a FEN. */
  read(text: string): void {
    this.problem = '';
    try {
      const games = splitGames(text);
      if (games.length === 0) throw new Error(m.fault.noGame);
      this.#show(games, 0);
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** Another game of the same file; changes to the one that is open are kept in the file. */
  pick(index: number): void {
    this.problem = '';
    const games = this.file();
    try {
      this.#show(games, index);
    } catch (error) {
      this.games = games;
      this.problem = m.analyse.gameProblem(index + 1, error instanceof Error ? error.message : String(error));
    }
  }

  #show(games: string[], index: number): void {
    const game = readGame(games[index] ?? '');
    this.#begin('', () => {
      this.tree.reset(game.fen, game.children, game.headers, game.comments);
      this.games = games;
      this.picked = index;
      this.#opened = this.tree.version;
    });
    this.faults = game.faults;
  }

  /** The version of the tree as it stands in the file. */
  #opened = -1;

  /** The games of the file, with the changes to the one that is open. Games that were not changed are as they came. */
  file(): string[] {
    if (this.games.length === 0 || this.tree.version === this.#opened) return this.games;
    const games = [...this.games];
    games[this.picked] = this.tree.pgn().trim();
    return games;
  }

  /** Everything that is open, as PGN. */
  pgn(): string {
    const games = this.file();
    return games.length > 1 ? `${games.join('\n\n')}\n` : this.tree.pgn();
  }

  titles(): string[] {
    return this.games.map(titleOf);
  }

  /** A position of one's own in place of what is open. */
  setUp(fen: string): void {
    this.#begin('', () => this.tree.reset(fen));
  }

  /** Opens something new. What was open can be gone back to, unless it was nothing. */
  #begin(source: string, fill: () => void): void {
    this.stop();
    this.keep();
    if (this.tree.root.children.length > 0) {
      save(keyBefore, this.#kept());
      this.hasBefore = true;
    }
    this.problem = '';
    this.faults = [];
    this.games = [];
    this.picked = 0;
    this.source = source;
    fill();
    this.#keepFile();
  }

  /** The games that are in the browser's database. */
  #inDatabase: string[] = [];

  #keepFile(): void {
    if (this.games === this.#inDatabase) return;
    this.#inDatabase = this.games;
    void keepTexts(fileKey, this.games);
  }

  /** Changes places with the analysis from before. */
  goBack(): void {
    const before = stored(keyBefore);
    if (!before) return;
    this.stop();
    const now = this.#kept();
    this.faults = [];
    this.problem = '';
    this.games = [];
    this.#take(before);
    this.#keepFile();
    save(keyBefore, now);
    this.keep();
  }

  #kept(): Kept {
    return { source: this.source, picked: this.picked, tree: this.tree.keep() };
  }

  #take({ source, picked, tree }: Kept): void {
    this.source = source;
    this.picked = picked;
    this.tree.restore(tree);
  }

  keep(): void {
    clearTimeout(this.#timer);
    if (!save(key, this.#kept())) this.problem = m.analyse.notKept;
  }

  #restore(from: string): void {
    const kept = stored(from);
    if (!kept) return;
    try {
      this.#take(kept);
    } catch {
      // What another version kept is not understood: the tree begins anew.
      this.tree.reset(startFen);
    }
  }

  /** The engine looks at every position of the main line, one after the other. What it knows already it does not ask again. */
  async analyse(): Promise<void> {
    this.stop();
    const asked = new AbortController();
    this.#asked = asked;
    this.problem = '';
    const line = [this.tree.root, ...this.tree.main];
    const open = line.filter((node) => !node.analysed);
    for (const [index, node] of open.entries()) {
      this.progress = { done: line.length - open.length + index, all: line.length };
      try {
        node.analysed = await this.#worth(node.fen, asked.signal);
      } catch (error) {
        if (asked.signal.aborted) return;
        this.problem = error instanceof Error ? error.message : String(error);
        break;
      }
      if (asked.signal.aborted) return;
      this.#judge();
    }
    this.progress = undefined;
    this.#judge();
    this.keep();
  }

  stop(): void {
    this.#asked?.abort();
    this.progress = undefined;
    this.waiting = '';
  }

  /** Marks the moves of the main line whose positions before and after are known. */
  #judge(): void {
    for (const node of this.tree.main) {
      const before = node.parent?.analysed;
      if (!before || !node.analysed) continue;
      const mover = turnOf(node.parent?.fen ?? '');
      const blame = mark(before.score, node.analysed.score, mover);
      const only = before.best[0] === node.uci && isOnlyMove(before.score, before.second, mover);
      node.judged = blame ?? (only ? '!' : undefined);
    }
    this.tree.version += 1;
  }

  /** What a position is worth after so many nodes; where the game is over in it, by its result. */
  async #worth(fen: string, signal: AbortSignal): Promise<Analysed> {
    const { over, winner } = standing(fen);
    if (over) return { score: winner ? { mate: winner === 'white' ? 0.5 : -0.5 } : { cp: 0 }, best: [] };
    for (;;) {
      const { found, problem, temporary } = await ask(fen, signal);
      if (signal.aborted) throw new Error('stopped');
      if (found) {
        this.waiting = '';
        return found;
      }
      if (!temporary) throw new Error(problem ?? m.frame.brokeOff);
      this.waiting = problem ?? '';
      await new Promise((done) => setTimeout(done, patience));
      if (signal.aborted) throw new Error('stopped');
    }
  }
}

function ask(
  fen: string,
  signal: AbortSignal,
): Promise<{ found?: Analysed; problem?: string | undefined; temporary?: boolean | undefined }> {
  return new Promise((done) => {
    const last = new Map<number, api.Line>();
    const stop = api.lines(
      fen,
      { agent: analyst, multipv: '2', nodes: String(nodes) },
      {
        line: (line) => last.set(line.rank, line),
        end: (problem, temporary) => {
          const [best, second] = [last.get(1), last.get(2)];
          const score = best && scoreOf(best);
          if (problem || !best || !score) done({ problem, temporary });
          else done({ found: { score, best: best.pv_uci.slice(0, 12), second: second && scoreOf(second) } });
        },
      },
    );
    signal.addEventListener('abort', () => {
      stop();
      done({});
    });
  });
}

/** Moves one after the other, as a tree without side lines. */
function lined(
  moves: { uci: string; san: string; fen: string; comments: string[]; score: Score | undefined }[],
): ReadNode[] {
  return moves.reduceRight<ReadNode[]>(
    (after, move) => [{ ...move, nags: [], before: [], children: after }],
    [],
  );
}

function stored(from: string): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(from) ?? 'null') as Kept | null;
    return kept && typeof kept.tree?.fen === 'string' && Array.isArray(kept.tree.children) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function save(at: string, kept: Kept): boolean {
  try {
    localStorage.setItem(at, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

let shared: Analysis | undefined;

/** The one analysis of the page, made when it is first looked at. */
export function analysis(): Analysis {
  shared ??= new Analysis();
  return shared;
}
