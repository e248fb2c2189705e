import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Judge } from '../src/state/judge.svelte';
import { Source } from './source';

const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const line = { rank: 1, depth: 8, score_cp: 30 };

beforeEach(() => {
  Source.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Source);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a server that is busy is asked again', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 503 })));
  const judge = new Judge();
  judge.look(start);
  await vi.runOnlyPendingTimersAsync();
  expect(Source.all).toHaveLength(1);
  Source.latest.onerror?.();
  await vi.runAllTimersAsync();
  expect(Source.all).toHaveLength(2);
  Source.latest.say('line', line);
  Source.latest.say('best', {});
  expect(judge.score).toEqual({ cp: 30 });
});
