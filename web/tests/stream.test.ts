import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Stream } from '../src/state/stream.svelte';

/** A source that the test speaks through. */
class Source extends EventTarget {
  static all: Source[] = [];
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;

  constructor(readonly url: string) {
    super();
    Source.all.push(this);
  }

  close(): void {
    this.closed = true;
  }
}

const latest = (): Source => {
  const source = Source.all.at(-1);
  if (!source) throw new Error('no stream was opened');
  return source;
};

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
  latest().dispatchEvent(new MessageEvent('moved', { data: 'e4' }));
  latest().dispatchEvent(new MessageEvent('other', { data: 'x' }));
  expect(heard).toEqual(['moved e4']);
});

test('a stream that breaks is tried again with what is known by then, and says when it stands', () => {
  let version = 1;
  const again = vi.fn();
  const stream = new Stream(() => `/events?since=${version}`, { names: [], hear: () => undefined, again });
  latest().onopen?.();
  expect(stream.connection).toBe('open');
  expect(again).not.toHaveBeenCalled();
  version = 7;
  latest().onerror?.();
  expect(stream.connection).toBe('lost');
  expect(Source.all[0]?.closed).toBe(true);
  vi.runOnlyPendingTimers();
  expect(latest().url).toBe('/events?since=7');
  latest().onopen?.();
  expect(stream.connection).toBe('open');
  expect(again).toHaveBeenCalledOnce();
});

test('a stream that is over is not tried again', () => {
  const stream = new Stream(() => '/events', { names: [], hear: () => undefined, over: () => true });
  latest().onerror?.();
  vi.runAllTimers();
  expect(Source.all).toHaveLength(1);
  expect(stream.connection).toBe('closed');
});

test('a stream that was closed stays closed', () => {
  const stream = new Stream(() => '/events', { names: [], hear: () => undefined });
  stream.close();
  latest().onerror?.();
  vi.runAllTimers();
  expect(Source.all).toHaveLength(1);
});
