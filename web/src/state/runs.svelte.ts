/** Runs of the laboratory: the list, looked at again now and then, and one that is watched. */
import * as api from '../api/client';
import { Stream } from './stream.svelte';

/** How often the list is asked for, in milliseconds. */
const pace = 5000;

export class RunList {
  runs = $state.raw<api.Run[]>([]);
  problem = $state('');
  /** Whether an answer has come. */
  known = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

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
    this.#timer = setTimeout(() => void this.#ask(), pace);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

/** A run as it goes on: its document, and what was measured step by step. */
export class RunWatch {
  run = $state.raw<api.Run>();
  steps = $state.raw<Record<string, unknown>[]>([]);
  #line = 0;
  #stream: Stream;

  constructor(readonly id: string) {
    this.#stream = new Stream(() => api.runEvents(id, this.#line), {
      names: [...api.runEventNames],
      hear: (name, data) => this.#hear(name, data),
      over: () => this.run !== undefined && this.run.state !== 'running',
    });
  }

  get connection() {
    return this.#stream.connection;
  }

  #hear(name: string, data: string): void {
    if (name === 'run') {
      this.run = JSON.parse(data) as api.Run;
      return;
    }
    const { line, values } = JSON.parse(data) as api.MetricsLine;
    if (line <= this.#line) return;
    this.#line = line;
    this.steps = [...this.steps, values as Record<string, unknown>];
  }

  close(): void {
    this.#stream.close();
  }
}
