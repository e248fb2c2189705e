import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lines } from '../src/api/client';
import { Source } from './source';

const answered = vi.fn<() => Promise<Response>>();

beforeEach(() => {
  Source.all = [];
  vi.stubGlobal('EventSource', Source);
  vi.stubGlobal('fetch', answered);
});

afterEach(() => vi.unstubAllGlobals());

/** Reads a position whose stream breaks, and gives what is said of it. */
async function broken(): Promise<string | undefined> {
  const end = vi.fn<(problem?: string) => void>();
  lines('8/8/8/8/8/8/8/8 w - - 0 1', {}, { line: () => undefined, end });
  Source.latest.onerror?.();
  await vi.waitFor(() => expect(end).toHaveBeenCalledOnce());
  expect(Source.latest.closed).toBe(true);
  return end.mock.calls[0]?.[0];
}

test('a reading that is refused says why', async () => {
  const problem = { title: 'Unprocessable', detail: 'White has no king' };
  answered.mockResolvedValue(new Response(JSON.stringify(problem), { status: 422 }));
  expect(await broken()).toBe('White has no king.');
});

test('a reading whose connection breaks says that', async () => {
  answered.mockResolvedValue(new Response('', { status: 200 }));
  expect(await broken()).toBe('The analysis broke off.');
});

test('a reading that was stopped says nothing more', async () => {
  answered.mockResolvedValue(new Response('', { status: 503 }));
  const end = vi.fn();
  const stop = lines('startpos', {}, { line: () => undefined, end });
  Source.latest.onerror?.();
  stop();
  await Promise.resolve();
  Source.latest.say('best', {});
  expect(end).not.toHaveBeenCalled();
});
