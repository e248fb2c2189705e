/**
 * A game that the server's coach goes over. The job goes on without the page; what is heard is numbered, so that after a break,
 * or a reload, the rest is heard. A server that was restarted has forgotten it: then it begins anew, and finds the same.
 */
import * as api from '../api/client';
import { Stream } from './stream.svelte';

/** How long to wait for a server that is away or full, in milliseconds. */
const patience = 1500;

export interface ReviewHearing {
  /** The job has this name, and its texts are in this language. */
  started: (id: string, language: api.ReviewJob['language']) => void;
  position: (done: number, all: number) => void;
  move: (move: api.AnalysedMove) => void;
  review: (reviewed: api.ReviewedMove) => void;
  exercise: (exercise: api.Exercise) => void;
  /** Why it does not go on for now; empty when it does. */
  wait: (why: string) => void;
  done: (summary: api.ReviewSummary) => void;
  failed: (why: string) => void;
}

export class ReviewJob {
  #stream: Stream | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #id: string | undefined;
  #closed = false;

  constructor(
    private readonly game: Partial<api.NewReview>,
    private readonly hearing: ReviewHearing,
    /** A job that was begun before. */
    id?: string,
  ) {
    if (id) this.#listen(id);
    else void this.#start();
  }

  /** Stops listening; the job goes on. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#stream?.close();
  }

  /** Ends the job; what was found stays. */
  cancel(): void {
    this.close();
    if (this.#id) void api.cancelReview(this.#id).catch(() => undefined);
  }

  async #start(): Promise<void> {
    try {
      const { id, language } = await api.startReview(this.game);
      if (this.#closed) void api.cancelReview(id).catch(() => undefined);
      else {
        this.hearing.started(id, language);
        this.#listen(id);
      }
    } catch (error) {
      if (this.#closed) return;
      const why = error instanceof Error ? error.message : String(error);
      if (!isTemporary(error)) {
        this.close();
        this.hearing.failed(why);
        return;
      }
      this.hearing.wait(why);
      this.#timer = setTimeout(() => void this.#start(), patience);
    }
  }

  #listen(id: string): void {
    this.#id = id;
    let heard = 0;
    this.#stream = new Stream(() => api.reviewEvents(id, heard), {
      names: [...api.reviewEventNames],
      hear: (name, data) => {
        heard += 1;
        this.hearing.wait('');
        this.#hear(name, JSON.parse(data));
      },
      again: () => this.hearing.wait(''),
      broken: () => void this.#ask(id),
      over: () => this.#closed,
    });
  }

  /** Whether the job is still there, after the stream broke. */
  async #ask(id: string): Promise<void> {
    try {
      await api.reviewJob(id);
    } catch (error) {
      if (this.#closed || this.#id !== id) return;
      if (error instanceof api.Problem && error.status === 404) {
        this.#stream?.close();
        this.#id = undefined;
        void this.#start();
      } else if (error instanceof Error) this.hearing.wait(error.message);
    }
  }

  #hear(name: string, data: unknown): void {
    const { hearing } = this;
    switch (name) {
      case 'position': {
        const { done, of } = data as { done: number; of: number };
        hearing.position(done, of);
        break;
      }
      case 'move':
        hearing.move(data as api.AnalysedMove);
        break;
      case 'review':
        hearing.review(data as api.ReviewedMove);
        break;
      case 'exercise':
        hearing.exercise(data as api.Exercise);
        break;
      case 'failed':
        this.close();
        hearing.failed((data as { detail: string }).detail);
        break;
      case 'cancelled':
        // The server closes, or somebody else ended it: where it is gone, it begins anew.
        this.#stream?.close();
        if (!this.#closed) this.#timer = setTimeout(() => void this.#start(), patience);
        break;
      default:
        this.close();
        hearing.done(data as api.ReviewSummary);
    }
  }
}

function isTemporary(error: unknown): boolean {
  return (
    error instanceof api.Unreachable ||
    (error instanceof api.Problem && (error.status === 429 || error.status === 503))
  );
}
