import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Stream } from '../src/state/stream.svelte';
import { Source } from './source';

beforeEach(() => {
  vi.useFakeTimers();
  Source.all = [];
  vi.stubGlobal('EventSource', Source);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('what is said is heard by its name', () => {
  const heard: string[] = [];
  new Stream(() => '/events', { names: ['moved'], hear: (name, data) => heard.push(`${name} ${data}`) });
  Source.latest.dispatchEvent(new MessageEvent('moved', { data: 'e4' }));
  Source.latest.dispatchEvent(new MessageEvent('other', { data: 'x' }));
  expect(heard).toEqual(['moved e4']);
});

test('a stream that breaks is tried again with what is known by then, and says when it stands', () => {
  let version = 1;
  const again = vi.fn();
  const stream = new Stream(() => `/events?since=${version}`, { names: [], hear: () => undefined, again });
  Source.latest.onopen?.();
  expect(stream.connection).toBe('open');
  expect(again).not.toHaveBeenCalled();
  version = 7;
  Source.latest.onerror?.();
  expect(stream.connection).toBe('lost');
  expect(Source.all[0]?.closed).toBe(true);
  vi.runOnlyPendingTimers();
  expect(Source.latest.url).toBe('/events?since=7');
  Source.latest.onopen?.();
  expect(stream.connection).toBe('open');
  expect(again).toHaveBeenCalledOnce();
});

test('a stream that is over is not tried again', () => {
  const stream = new Stream(() => '/events', { names: [], hear: () => undefined, over: () => true });
  Source.latest.onerror?.();
  vi.runAllTimers();
  expect(Source.all).toHaveLength(1);
  expect(stream.connection).toBe('closed');
});

test('a stream that was closed stays closed', () => {
  const stream = new Stream(() => '/events', { names: [], hear: () => undefined });
  stream.close();
  Source.latest.onerror?.();
  vi.runAllTimers();
  expect(Source.all).toHaveLength(1);
});
