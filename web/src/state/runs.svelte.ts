/** Runs of the laboratory: the list, looked at again now and then, and one that is watched. */
import * as api from '../api/client';
import { readLive, type Live } from '../notation/live';
import type { Json } from '../notation/run';
import { m } from '../text/catalogue.svelte';
import { announcer } from './announce.svelte';
import { Stream } from './stream.svelte';

/** Polling interval of the list, in milliseconds. */
const pollInterval = 5000;

export class RunList {
  runs = $state.raw<api.Run[]>([]);
  problem = $state('');
  /** Whether an answer has come. */
  known = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor() {
    void this.#ask();
  }

  async #ask(): Promise<void> {
    try {
      this.runs = await api.runs();
      this.problem = '';
      this.known = true;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
    clearTimeout(this.#timer);
    if (!this.#closed) this.#timer = setTimeout(() => void this.#ask(), pollInterval);
  }

  /** Looks again now. */
  look(): void {
    void this.#ask();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }
}

/** How long steps are gathered before they are shown, in milliseconds: many may come at once. */
const gathering = 100;

/** A run as it goes on: its document, what was measured step by step, and of a match how it stands. */
export class RunWatch {
  run = $state.raw<api.Run>();
  steps = $state.raw<Json[]>([]);
  live = $state.raw<Live>();
  /** What was refused last, in words. */
  problem = $state('');
  #line = 0;
  #gathered: Json[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stream = $state.raw() as Stream;

  constructor(readonly id: string) {
    this.#stream = this.#open();
  }

  /** Why nothing is heard of a run not seen yet. Where there is no such run, asking again is no use. */
  async #check(): Promise<void> {
    try {
      await api.run(this.id);
    } catch (error) {
      if (this.run || !(error instanceof Error)) return;
      if (error instanceof api.Problem && error.status === 404) this.close();
      this.problem = error.message;
    }
  }

  #open(): Stream {
    return new Stream(() => api.runEvents(this.id, this.#line), {
      names: [...api.runEventNames],
      hear: (name, data) => this.#hear(name, data),
      again: () => (this.problem = ''),
      broken: () => void this.#check(),
      over: () => this.run !== undefined && this.run.state !== 'running',
    });
  }

  get connection() {
    return this.#stream.connection;
  }

  #hear(name: string, data: string): void {
    if (name === 'run') {
      const before = this.run?.state;
      this.run = JSON.parse(data) as api.Run;
      if (before === 'running' && this.run.state !== before) {
        announcer.say(m.arena.stands(this.id, m.arena.states[this.run.state]));
      }
    } else if (name === 'live') this.#stands(readLive(JSON.parse(data)));
    else this.#step(JSON.parse(data) as api.MetricsLine);
  }

  /** Between two games there is none; the boards stay until the next begins. */
  #stands(live: Live): void {
    const games = live.games.length > 0 ? live.games : (this.live?.games ?? []);
    this.live = { ...live, games };
  }

  #step({ line, values }: api.MetricsLine): void {
    if (line <= this.#line) return;
    this.#line = line;
    this.#gathered.push(values as Json);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.steps = [...this.steps, ...this.#gathered];
      this.#gathered = [];
    }, gathering);
  }

  /** Tells it to stop; what was done is kept. */
  async stop(): Promise<void> {
    await this.#ask(() => api.stopRun(this.id));
  }

  /** Goes on with it, and watches again. */
  async resume(): Promise<void> {
    await this.#ask(async () => {
      await api.resumeRun(this.id);
      this.#stream.close();
      this.#stream = this.#open();
    });
  }

  async #ask(request: () => Promise<unknown>): Promise<void> {
    this.problem = '';
    try {
      await request();
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stream.close();
  }
}
