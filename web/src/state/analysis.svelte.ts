/**
 * The analysis board's one tree, where it came from, and what the engine found in it. There is one for the whole page: it goes on
 * while another page is looked at, and it is kept over a reload.
 */
import * as api from '../api/client';
import { turnOf } from '../board/pieces';
import { journalName, readJournal } from '../notation/journal';
import { startFen, write } from '../notation/line';
import { glyphOf, glyphOfReview } from '../notation/marks';
import { readGame, splitGames, titleOf, type ReadNode } from '../notation/pgn';
import { checkedFen } from '../notation/position';
import { chanceScore, recorded, scoreOf, type Score } from '../notation/score';
import { m, type Language } from '../text/catalogue.svelte';
import type { Route } from './address';
import { opponentName } from './levels';
import { mistakes } from './mistakes.svelte';
import { ReviewJob } from './review_job';
import { keepTexts, keptTexts } from './storage';
import { MoveTree, type KeptTree, type MoveNode } from './tree.svelte';

/** Nodes that the coach searches each position of a game for: by nodes, the same game gets the same marks. */
const nodes = 60_000;
/** How long changes are gathered before they are kept, in milliseconds. */
const gathering = 150;

const key = 'tabia.analysis';
const keyBefore = 'tabia.analysis.before';
const fileKey = 'analysis';

/** The review that is under way: its name at the server, the main line it is of, and the language of its texts. */
interface Job {
  id: string;
  line: string;
  language?: Language;
}

interface Kept {
  source: string;
  picked: number;
  tree: KeptTree;
  job?: Job | undefined;
  report?: Report | undefined;
}

/** How both sides played a line, as the coach says. */
export interface Report {
  line: string;
  summary: api.ReviewSummary;
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
  /** How both sides played, once the coach has gone over the whole game. */
  report = $state.raw<Report>();
  #job: Job | undefined;
  #review: ReviewJob | undefined;
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
    this.#resume();
  }

  /** What each position of the main line is worth, from the start on. */
  get scores(): (Score | undefined)[] {
    return [this.tree.root, ...this.tree.main].map((node) => node.analysed?.score ?? node.score);
  }

  /** The main line, as one text. */
  get line(): string {
    return this.tree.main.map(({ uci }) => uci).join(' ');
  }

  /** How both sides played the main line; nothing before the whole of it was reviewed, or after it was changed. */
  get verdict(): api.ReviewSummary | undefined {
    return this.report && this.report.line === this.line ? this.report.summary : undefined;
  }

  /** Shows what an address names; the tree that is open already is not read again. */
  async open({ id, query }: Route): Promise<void> {
    const watching = query.has('watch');
    const source = id ? `${watching ? 'watch' : 'game'}/${id}` : query.toString();
    if (source === '' || source === this.source) return;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    try {
      if (id) await this.#openGame(watching ? api.watchedGame(id) : api.game(id), source, loading.signal);
      else if (query.has('run')) {
        await this.#openRun(query.get('run') ?? '', Number(query.get('game')), source, loading.signal);
      } else if (query.has('collection')) {
        await this.#openCollected(Number(query.get('collection')), query.get('at'), source, loading.signal);
      } else if (query.has('fen') || query.has('line')) this.#openLine(query, source);
    } catch (error) {
      if (!loading.signal.aborted) this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  async #openGame(asked: Promise<api.Game>, source: string, signal: AbortSignal): Promise<void> {
    const game = await asked;
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

  /** A game of the explorer's collection, at the position it was found by. */
  async #openCollected(
    number: number,
    at: string | null,
    source: string,
    signal: AbortSignal,
  ): Promise<void> {
    const game = readGame(await api.collectionGame(number));
    if (signal.aborted) return;
    this.#begin(source, () => {
      this.tree.reset(game.fen, game.children, game.headers, game.comments);
      const board = (fen: string): string => fen.split(' ').slice(0, 2).join(' ');
      const found = at ? this.tree.main.find(({ fen }) => board(fen) === board(at)) : undefined;
      if (found) this.tree.select(found);
    });
    this.faults = game.faults;
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
    this.report = undefined;
    fill();
    this.#keepFile();
  }

  /** The games that are in the browser's database. */
  #inDatabase: string[] = [];

  #keepFile(): void {
    if (this.games === this.#inDatabase) return;
    this.#inDatabase = this.games;
    void keepTexts(fileKey, this.games).then((kept) => {
      if (!kept && this.games.length > 1) this.problem = m.analyse.notKept;
    });
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
    this.#resume();
  }

  #kept(): Kept {
    const { source, picked, report } = this;
    return { source, picked, tree: this.tree.keep(), job: this.#job, report };
  }

  #take({ source, picked, tree, job, report }: Kept): void {
    this.source = source;
    this.picked = picked;
    this.tree.restore(tree);
    this.#job = job;
    this.report = report;
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

  /** Has the server's coach go over the main line. */
  analyse(): void {
    this.stop();
    this.problem = '';
    this.#listen();
  }

  /** Hears the rest of a review that was under way when the page was left. */
  #resume(): void {
    const job = this.#job;
    if (!job) return;
    if (job.line === this.line) this.#listen(job.id);
    else this.#job = undefined;
  }

  #listen(id?: string): void {
    const main = this.tree.main;
    const line = this.line;
    const { root, headers } = this.tree;
    this.progress = { done: 0, all: main.length + 1 };
    const game = {
      moves: main.map(({ uci }) => uci),
      ...(root.fen === startFen ? {} : { fen: root.fen }),
      ...(headers.get('Variant') === 'Chess960' ? { variant: 'chess960' as const } : {}),
      nodes,
      exercises: true,
    };
    this.#review = new ReviewJob(
      game,
      {
        started: (name, language) => {
          this.#job = { id: name, line, language };
          this.keep();
        },
        position: (done, all) => (this.progress = { done, all }),
        move: (move) => judge(main, move),
        review: ({ ply, review }) => {
          const node = main[ply - 1];
          if (node) node.review = { ...review, ...this.#written };
          this.tree.version += 1;
        },
        exercise: (exercise) => {
          if (!this.#isMine(exercise.turn)) return;
          const best = main[exercise.ply - 1]?.review?.best.move;
          mistakes.add(
            { ...exercise, accepted: recommendedFirst(exercise, best), ...this.#written },
            this.title,
          );
        },
        wait: (why) => (this.waiting = why),
        done: (summary) => {
          this.report = { line, summary };
          this.#ended();
        },
        failed: (why) => {
          this.problem = why;
          this.#ended();
        },
      },
      id,
    );
  }

  /** The language of the texts that are heard, to be kept with them. */
  get #written(): { language?: Language } {
    return this.#job?.language ? { language: this.#job.language } : {};
  }

  #ended(): void {
    this.#review = undefined;
    this.#job = undefined;
    this.progress = undefined;
    this.waiting = '';
    this.tree.version += 1;
    this.keep();
  }

  /** Ends the review; what was found stays. */
  stop(): void {
    this.#review?.cancel();
    this.#review = undefined;
    this.#job = undefined;
    this.progress = undefined;
    this.waiting = '';
  }

  /** The players, as people name them. */
  get title(): string {
    const [white, black] = [this.tree.headers.get('White'), this.tree.headers.get('Black')];
    if (!white && !black) return m.analyse.untitled;
    return `${opponentName(white ?? '?')} – ${opponentName(black ?? '?')}`;
  }

  /** Whether a side's mistakes are the reader's own: against an agent only the person's are. */
  #isMine(side: string): boolean {
    const human = (tag: string): boolean => this.tree.headers.get(tag)?.toLowerCase() === 'human';
    const [white, black] = [human('White'), human('Black')];
    return white === black || (side === 'white' ? white : black);
  }

  /** What the coach says of a single move, kept with it. */
  explained(node: MoveNode, review: api.Review): void {
    node.review = review;
    node.judged ??= glyphOfReview(review);
    this.tree.version += 1;
  }
}

/** Takes what was found about a move: the score after it, and what was best instead of it. */
function judge(main: MoveNode[], move: api.AnalysedMove): void {
  const node = main[move.ply - 1];
  const before = node?.parent;
  if (!node || !before) return;
  const mated = move.mate === 0 ? { mate: turnOf(node.fen) === 'black' ? 0.5 : -0.5 } : undefined;
  const score = mated ?? scoreOf(move) ?? { cp: 0 };
  node.analysed = { score, best: node.analysed?.best ?? [] };
  // The score before the first move is not told: it is the one after the best move.
  const lost = move.win_percent_loss * (turnOf(before.fen) === 'white' ? 1 : -1);
  const known = before.analysed?.score ?? chanceScore((move.win_percent + lost) / 100);
  before.analysed = { score: known, best: move.line_uci.slice(0, 12) };
  node.judged = glyphOf(move.mark);
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

/** What solves an exercise. A later search may score another move higher; the one its reason speaks of is shown first. */
function recommendedFirst({ accepted }: api.Exercise, best: string | undefined): api.Exercise['accepted'] {
  return accepted.toSorted((one, other) => Number(other.uci === best) - Number(one.uci === best));
}
