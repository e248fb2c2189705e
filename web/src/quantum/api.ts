/** Quantum chess as the laboratory tells it; nothing else in the page knows these paths. */
import { get, post, remove, root } from '../api/http';
import type { components } from '../api/schema';

type Schemas = components['schemas'];
export type Action = Schemas['ActionDocument'];
export type Analysis = Schemas['QuantumAnalysis'];
export type Agent = Schemas['AgentDocument'];
export type Branch = Schemas['BranchDocument'];
export type Game = Schemas['QuantumGameDocument'] & { draw_offer?: Schemas['Side'] | null };
export type Line = Schemas['QuantumLine'];
export type Marginal = Schemas['MarginalDocument'];
export type NewGame = Schemas['NewQuantumGame'];
export type Ply = Schemas['QuantumPly'];
export type Position = Schemas['QuantumPosition'];
export type Side = Schemas['Side'];
export type Summary = Schemas['QuantumSummary'];
/** What may stand on each square. */
export type Squares = Position['squares'];

const one = (id: string): string => `/quantum/games/${id}`;

export const agents = async (): Promise<Agent[]> =>
  (await get<Schemas['AgentList']>('/agents?variant=quantum')).agents;
export const games = async (): Promise<Summary[]> =>
  (await get<Schemas['QuantumGameList']>('/quantum/games')).games;
export const game = (id: string): Promise<Game> => get(one(id));
export const create = (game: Partial<NewGame>): Promise<Game> => post('/quantum/games', game);
/** Sets up a game from a JSON replay. */
export const open = (replay: unknown): Promise<Game> => post('/quantum/games/import', replay);
export const analyse = (position: string): Promise<Analysis> => post('/quantum/analysis', { position });
export const forget = (id: string): Promise<void> => remove(one(id));
export const position = (id: string, ply: number): Promise<Position> => get(`${one(id)}/positions/${ply}`);
export const undo = (id: string): Promise<Game> => post(`${one(id)}/undo`, {});
export const resign = (id: string, side?: Side): Promise<Game> => post(`${one(id)}/resign`, { side });
export const offerDraw = (id: string, side?: Side): Promise<Game> =>
  post(`${one(id)}/draw`, { action: 'offer', side });
export const answerDraw = (id: string, agree: boolean): Promise<Game> =>
  post(`${one(id)}/draw`, { action: agree ? 'accept' : 'decline' });
export const moveNow = (id: string): Promise<Schemas['MoveNow']> => post(`${one(id)}/move-now`, {});

/** Plays a move; refused when the game is no longer at this ply. */
export const move = (id: string, text: string, ply: number): Promise<Game> =>
  post(`${one(id)}/moves`, { move: text, ply });

/** Where the replay lies. */
export const replay = (id: string): string => `${root}${one(id)}/replay`;

export const eventNames = [
  'state',
  'thinking',
  'created',
  'moved',
  'undone',
  'draw_offered',
  'draw_declined',
  'ended',
];
export const events = (id: string, version: number): string => `${root}${one(id)}/events?since=${version}`;
