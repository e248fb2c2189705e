import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Game, GameEvent } from '../src/api/client';
import { startFen, write } from '../src/notation/line';
import { GameSession } from '../src/state/game.svelte';
import { Source } from './source';

/** The game after some moves, as the server would tell it; Black is an agent. */
function after(...moves: string[]): Game {
  const written = write(startFen, moves);
  const turn = moves.length % 2 === 0 ? 'white' : 'black';
  return {
    id: 'g',
    version: 1 + moves.length,
    variant: 'chess',
    white: { human: true, name: 'human' },
    black: { human: false, name: 'axiomx', agent: 'axiomx' },
    start_fen: startFen,
    fen: written.at(-1)?.fen ?? startFen,
    turn,
    ply: moves.length,
    check: false,
    legal: turn === 'white' ? { e2: ['e3', 'e4'] } : {},
    awaits: turn === 'white' ? 'human' : 'agent',
    captured: { by_white: [], by_black: [], balance: 0 },
    moves: written.map((move, index) => ({
      ...move,
      ply: index + 1,
      side: index % 2 === 0 ? 'white' : 'black',
    })),
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
  };
}

/** The event of the last of some moves. */
function moved(...moves: string[]): GameEvent {
  const { moves: played, version, ...position } = after(...moves);
  const last = played.at(-1);
  return { version, type: 'moved', at: position.updated_at, position, ...(last ? { move: last } : {}) };
}

const answers: (() => Promise<Response>)[] = [];
const asked: string[] = [];
const answer = (game: Game, status = 200) =>
  answers.push(() => Promise.resolve(Response.json(game, { status })));

beforeEach(() => {
  answers.length = 0;
  asked.length = 0;
  Source.all = [];
  vi.stubGlobal('EventSource', Source);
  vi.stubGlobal('fetch', (url: string, { method = 'GET' }: RequestInit = {}) => {
    asked.push(`${method} ${url}`);
    return (answers.shift() ?? (() => Promise.reject(new TypeError('refused'))))();
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('a game', () => {
  test("shows one's own move before the server has answered", async () => {
    const session = new GameSession(after());
    answer(after('e2e4'));
    const sent = session.move('e2e4');
    expect(session.moves.map((move) => move.san)).toEqual(['e4']);
    expect(session.fen).toContain('4P3');
    expect(session.thinking).toBe(true);
    await sent;
    expect(session.pending).toBeUndefined();
    expect(session.game.version).toBe(2);
  });

  test('takes a move back that the server refuses, and says why', async () => {
    const session = new GameSession(after());
    answers.push(() => Promise.resolve(Response.json({ detail: 'not legal here' }, { status: 422 })));
    await session.move('e2e4');
    expect(session.moves).toEqual([]);
    expect(session.problem).toBe('Not legal here.');
  });

  test('follows the events, whichever comes first', async () => {
    const session = new GameSession(after());
    answer(after('e2e4'));
    await session.move('e2e4');
    Source.latest.say('moved', moved('e2e4'));
    expect(session.moves).toHaveLength(1);
    Source.latest.say('moved', moved('e2e4', 'e7e5'));
    expect(session.moves.map((move) => move.san)).toEqual(['e4', 'e5']);
    expect(session.thinking).toBe(false);
  });

  test('says that an offer is declined, whether the answer or the event comes first', async () => {
    const begun = after('e2e4');
    const { at, position } = moved('e2e4');
    for (const first of ['answer', 'event']) {
      const session = new GameSession(begun);
      const event = (type: GameEvent['type'], later: number): GameEvent => ({
        version: begun.version + later,
        type,
        at,
        position,
      });
      const tell = (): void => {
        Source.latest.say('draw_offered', event('draw_offered', 1));
        Source.latest.say('draw_declined', event('draw_declined', 2));
      };
      answers.push(() => {
        if (first === 'event') tell();
        return Promise.resolve(Response.json({ ...begun, version: begun.version + 2 }));
      });
      await session.offerDraw('white');
      if (first === 'answer') tell();
      expect(session.problem).toBe('The draw offer is declined.');
      expect(session.game.version).toBe(begun.version + 2);
    }
  });

  test('says why an agent failed, also where the game is known already', () => {
    const session = new GameSession(after('e2e4'));
    const { at, position } = moved('e2e4');
    Source.latest.say('ended', {
      version: session.game.version,
      type: 'ended',
      at,
      position,
      detail: 'It crashed.',
    });
    expect(session.problem).toBe('It crashed.');
  });

  test('asks for the whole game when an event is missing', async () => {
    const session = new GameSession(after());
    answer(after('e2e4', 'e7e5'));
    Source.latest.say('moved', moved('e2e4', 'e7e5'));
    await vi.waitFor(() => expect(session.moves).toHaveLength(2));
    expect(asked).toEqual(['GET /api/v1/games/g']);
  });

  test('sends a move again that did not arrive though the stream stands', async () => {
    vi.useFakeTimers();
    const session = new GameSession(after());
    Source.latest.onopen?.();
    await session.move('e2e4');
    expect(session.pending?.san).toBe('e4');
    answer(after('e2e4'));
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    expect(session.pending).toBeUndefined();
  });

  test('keeps a move while the server is away, and sends it when it is back', async () => {
    vi.useFakeTimers();
    const session = new GameSession(after());
    Source.latest.onopen?.();
    Source.latest.onerror?.();
    await session.move('e2e4');
    expect(session.connection).toBe('lost');
    expect(session.pending?.san).toBe('e4');
    answer(after());
    answer(after('e2e4'));
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
    Source.latest.onopen?.();
    await vi.waitFor(() => expect(session.game.ply).toBe(1));
    expect(session.pending).toBeUndefined();
    expect(session.problem).toBe('');
  });

  test('sends a move once, whatever else is asked for meanwhile', async () => {
    const session = new GameSession(after('e2e4'));
    answer(after('e2e4', 'e7e5'));
    answer(after('e2e4', 'e7e5', 'g1f3'));
    Source.latest.say('moved', moved('e2e4', 'e7e5'));
    await session.move('g1f3');
    await vi.waitFor(() => expect(session.game.ply).toBe(3));
    expect(asked.filter((request) => request.startsWith('POST'))).toHaveLength(1);
  });

  test('sends a move that is made before the answer to the last one, of which events told', async () => {
    const session = new GameSession(after());
    let arrive: (response: Response) => void = () => undefined;
    const late = new Promise<Response>((done) => (arrive = done));
    answers.push(() => late);
    answer(after('e2e4', 'e7e5'));
    const sent = session.move('e2e4');
    Source.latest.say('moved', moved('e2e4'));
    expect(session.pending).toBeUndefined();
    await session.move('e7e5');
    expect(asked).toHaveLength(1);
    arrive(Response.json(after('e2e4')));
    await sent;
    expect(asked).toHaveLength(2);
    expect(session.game.ply).toBe(2);
    expect(session.pending).toBeUndefined();
  });

  test('shows what the agent thinks, until it has moved', () => {
    const session = new GameSession(after('e2e4'));
    const line = { rank: 1, depth: 9, seldepth: 12, score_cp: 31, pv_uci: [], pv_san: [] };
    Source.latest.say('thinking', { ply: 1, side: 'black', line });
    expect(session.evaluation).toEqual({ cp: 31, mate: undefined });
    Source.latest.say('moved', moved('e2e4', 'e7e5'));
    expect(session.thought).toBeUndefined();
    expect(session.evaluation).toEqual({ cp: 31, mate: undefined });
  });

  test('is looked through without being changed', () => {
    const session = new GameSession(after('e2e4', 'e7e5'));
    session.go(1);
    expect(session.isLatest).toBe(false);
    expect(session.lastMove).toBe('e2e4');
    session.go(99);
    expect(session.isLatest).toBe(true);
  });
});
