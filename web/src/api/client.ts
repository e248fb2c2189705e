/**
 * The laboratory's HTTP interface, as far as the page uses it. Types are made from its own description
 * (`npm run types`); nothing else in the page knows a path.
 */
import { get, getText, post, refusal, remove, root } from './http';
import { m, texts, type Language } from '../text/catalogue.svelte';
import type { components } from './schema';

export { Problem, Unreachable } from './http';

type Schemas = components['schemas'];
export type Outcome = Schemas['OutcomeDocument'];
export type Agent = Schemas['AgentDocument'];
export type AgentOption = Schemas['OptionDocument'];
export type EvaluationEntry = Schemas['EvaluationEntry'];
export type Explanation = Schemas['EvaluationDocument'];
export type Game = Schemas['GameDocument'];
export type GameEvent = Schemas['GameEvent'];
export type GameSummary = Schemas['GameSummary'];
export type Line = Schemas['LineDocument'];
export type NewGame = Schemas['NewGame'];
export type PlayedMove = Schemas['PlayedMove'];
export type Side = Schemas['Side'];
export type Thinking = Schemas['ThinkingDocument'];
export type SquareShares = Schemas['SquareDocument'];
export type Term = Schemas['TermDocument'];
export type ThinkLimits = Schemas['ThinkLimits'];
/** Why a move is good or bad. `language` is the one its text was asked for in; those kept from before it was noted are English. */
export type Review = Schemas['ReviewDocument'] & { language?: Language };
export type ReviewReason = Schemas['ReviewReason'];
/** A game that is being gone over, and what is heard of it. */
export type ReviewJob = Schemas['JobDocument'];
export type NewReview = Schemas['GameReviewRequest'];
export type AnalysedMove = Schemas['AnalysedMove'];
export type ReviewedMove = Schemas['ReviewedMove'];
export type ReviewSummary = Schemas['Summary'];
export type Exercise = Schemas['ExerciseDocument'];
export type Collection = Schemas['CollectionDocument'];
export type Explored = Schemas['ExploredPosition'];
export type ExploredGame = Schemas['ExploredGame'];

export const agents = async (): Promise<Agent[]> => (await get<Schemas['AgentList']>('/agents')).agents;

export const games = async (): Promise<GameSummary[]> => (await get<Schemas['GameList']>('/games')).games;
export const game = (id: string): Promise<Game> => get(`/games/${id}`);
export const createGame = (game: Partial<NewGame>): Promise<Game> => post('/games', game);
export const undo = (id: string): Promise<Game> => post(`/games/${id}/undo`, {});
export const resign = (id: string, side?: Side): Promise<Game> => post(`/games/${id}/resign`, { side });

/** The game as PGN, with what its agents thought and what was on the clocks. */
export const pgn = (id: string): Promise<string> => getText(`/games/${id}/pgn`);

/** A game forgotten by the server. */
export const deleteGame = (id: string): Promise<void> => remove(`/games/${id}`);

/** The name under which a game can be watched, which gives no right to move. */
export const watchLink = async (id: string): Promise<string> =>
  (await post<Schemas['WatchLink']>(`/games/${id}/watch`, {})).watch;
export const watchedGame = (watch: string): Promise<Game> => get(`/watch/${watch}`);
export const watchedPgn = (watch: string): Promise<string> => getText(`/watch/${watch}/pgn`);
export const watchEvents = (watch: string, version: number): string =>
  `${root}/watch/${watch}/events?since=${version}`;

/** Plays a move; refused when the game is no longer at this ply. */
export const move = (id: string, uci: string, ply: number): Promise<Game> =>
  post(`/games/${id}/moves`, { move: uci, ply });

export const offerDraw = (id: string, side?: Side): Promise<Game> =>
  post(`/games/${id}/draw`, { action: 'offer', side });

export const answerDraw = (id: string, agree: boolean): Promise<Game> =>
  post(`/games/${id}/draw`, { action: agree ? 'accept' : 'decline' });

/** Tells the thinking agent to play what it has. */
export const moveNow = (id: string): Promise<Schemas['MoveNow']> => post(`/games/${id}/move-now`, {});

/** What a game's stream can say. */
export const gameEventNames = [
  'state',
  'thinking',
  'created',
  'moved',
  'undone',
  'draw_offered',
  'draw_declined',
  'ended',
] as const;

export const gameEvents = (id: string, version: number): string =>
  `${root}/games/${id}/events?since=${version}`;

export const evaluations = async (): Promise<EvaluationEntry[]> =>
  (await get<Schemas['EvaluationList']>('/analysis/evaluations')).evaluations;

const query = (values: Record<string, string>): string => new URLSearchParams(values).toString();

/** The coach speaks the language of the page, where it can. */
const spoken = (): string => query({ language: texts.language });

/** A position taken apart by an evaluation. */
export const explain = (fen: string, evaluation: string, signal: AbortSignal): Promise<Explanation> =>
  get(`/analysis/evaluate?${query({ fen, eval: evaluation })}`, signal);

/** Why a move is good or bad; without a move, why the best one is. */
export const review = async (
  request: { fen: string; move?: string; nodes: number },
  signal: AbortSignal,
): Promise<Review> => {
  const { language } = texts;
  return { ...(await post<Review>(`/analysis/review?${query({ language })}`, request, signal)), language };
};

/** Has a game gone over: a job that goes on without us. */
export const startReview = (game: Partial<NewReview>): Promise<ReviewJob> =>
  post(`/analysis/games?${spoken()}`, game);
export const reviewJob = (id: string): Promise<ReviewJob> => get(`/analysis/games/${id}`);
export const cancelReview = (id: string): Promise<ReviewJob> => post(`/analysis/games/${id}/cancel`, {});
export const reviewEvents = (id: string, heard: number): string =>
  `${root}/analysis/games/${id}/events?since=${heard}`;
export const reviewEventNames = [
  'position',
  'move',
  'review',
  'exercise',
  'done',
  'cancelled',
  'failed',
] as const;

/** The games that the explorer knows, and what was played in a position. */
export const collection = (): Promise<Collection> => get('/explorer');
/** Which games of the collection count; what is empty does not matter. */
export interface ExplorerFilter {
  min_rating?: string;
  max_rating?: string;
  since?: string;
  until?: string;
  result?: '' | 'white' | 'draw' | 'black';
  player?: string;
  color?: '' | Side;
}
export const explore = (fen: string, filter: ExplorerFilter, signal: AbortSignal): Promise<Explored> => {
  const given = Object.entries(filter).filter(([, value]) => value !== '');
  return get(`/explorer/position?${query({ fen, ...Object.fromEntries(given) })}`, signal);
};
/** Players whose names contain a text, those with the most games first. */
export const players = async (name: string, signal: AbortSignal): Promise<Schemas['ExplorerPlayer'][]> =>
  (await get<Schemas['ExplorerPlayers']>(`/explorer/players?${query({ name })}`, signal)).players;
export const collectionGame = (number: number): Promise<string> => getText(`/explorer/games/${number}`);

/** What each piece does to a square. */
export const shares = (
  fen: string,
  evaluation: string,
  square: string,
  signal: AbortSignal,
): Promise<SquareShares> => get(`/analysis/square?${query({ fen, eval: evaluation, square })}`, signal);

/** A position of its own, with its legal moves. */
export const position = (fen: string, signal: AbortSignal): Promise<Schemas['CheckedPosition']> =>
  get(`/analysis/position?${query({ fen })}`, signal);

export interface LinesHearing {
  line: (line: Line) => void;
  /** It has ended: with a move, or with words on why there is none, and whether it may go better later. */
  end?: (problem?: string, temporary?: boolean) => void;
}

/** Lets the engine read a position; the answer ends it. */
export function lines(
  fen: string,
  bounds: { agent?: string; multipv?: string; movetime_ms?: string; nodes?: string; depth?: string },
  hearing: LinesHearing,
): () => void {
  const path = `/analysis/lines?${query({ fen, ...bounds })}`;
  const source = new EventSource(root + path);
  let heard = true;
  const close = () => {
    heard = false;
    source.close();
  };
  const end = (problem?: string, temporary = false) => {
    if (!heard) return;
    close();
    hearing.end?.(problem, temporary);
  };
  const data = (event: Event): string => (event instanceof MessageEvent ? String(event.data) : '');
  source.addEventListener('line', (event) => hearing.line(JSON.parse(data(event)) as Line));
  source.addEventListener('best', () => end());
  source.addEventListener('failed', (event) =>
    end((JSON.parse(data(event)) as Schemas['FailedDocument']).detail),
  );
  source.onerror = () => {
    source.close();
    void refusal(path).then(({ why, temporary }) => end(why ?? m.frame.brokeOff, temporary));
  };
  return close;
}

export type Run = Schemas['RunDocument'];
export type NewRun = Schemas['NewRun'];
export type MetricsLine = Schemas['MetricsLine'];

export const runs = async (): Promise<Run[]> => (await get<Schemas['RunList']>('/runs')).runs;

/** Starts a match; its name comes back. */
export const startRun = async (run: NewRun): Promise<string> =>
  (await post<Schemas['StartedRun']>('/runs', run)).id;

export const run = (id: string): Promise<Run> => get(runPath(id));

const runPath = (id: string): string => `/runs/${encodeURIComponent(id)}`;

export const stopRun = (id: string): Promise<unknown> => post(`${runPath(id)}/stop`, {});
export const resumeRun = (id: string): Promise<unknown> => post(`${runPath(id)}/resume`, {});

/** Where a file of a run lies. */
export const artefact = (id: string, name: string): string =>
  `${root}${runPath(id)}/artefacts/${encodeURIComponent(name)}`;

/** A file of a run, as text. */
export const artefactText = (id: string, name: string): Promise<string> =>
  getText(`${runPath(id)}/artefacts/${encodeURIComponent(name)}`);

/** What a run's stream can say. */
export const runEventNames = ['run', 'metrics', 'live'] as const;

export const runEvents = (id: string, line: number): string => `${root}${runPath(id)}/events?since=${line}`;
