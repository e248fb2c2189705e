/**
 * One game of quantum chess as the page knows it: the server's document, kept up to date by its events, and on top of it what is being
 * looked at. A measurement is shown as one: for a moment the old position stays, then what was found.
 */
import { outcomeText } from '../notation/outcome';
import { announcer } from '../state/announce.svelte';
import { play } from '../state/sound';
import { Stream } from '../state/stream.svelte';
import * as api from './api';
import { m } from '../text/catalogue.svelte';

/** How long a measurement is seen before its result, in milliseconds. */
const suspense = 1100;

interface Measuring {
  square: string;
  before: api.Position;
}

export class QuantumSession {
  /** As the server last told it. */
  game = $state.raw<api.Game>() as api.Game;
  /** An earlier position that is looked at. */
  viewed = $state.raw<{ ply: number; position: api.Position }>();
  /** A measurement whose result is not shown yet. */
  measuring = $state.raw<Measuring>();
  /** What the thinking agent makes of it so far. */
  thought = $state.raw<api.Line>();
  /** What went wrong last, in words. */
  problem = $state('');
  busy = $state(false);
  #stream: Stream;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = false;
  #again = false;
  /** The ply whose position was gone to last, unless that is the latest: others that arrive late are dropped. */
  #wanted: number | undefined;

  constructor(game: api.Game) {
    this.game = game;
    this.#stream = new Stream(() => api.events(game.id, this.game.version), {
      names: api.eventNames,
      hear: (name, data) => this.#hear(name, data),
      again: () => {
        this.problem = '';
        void this.refresh();
      },
    });
  }

  get connection() {
    return this.#stream.connection;
  }

  /** The position that is shown. */
  get position(): api.Position {
    return this.viewed?.position ?? this.measuring?.before ?? this.game;
  }

  get ply(): number {
    return this.viewed?.ply ?? this.game.ply;
  }

  get moves(): api.Ply[] {
    return this.game.moves;
  }

  get isLatest(): boolean {
    return this.viewed === undefined;
  }

  get over(): boolean {
    return this.game.outcome != null;
  }

  /** The sides people play. */
  get people(): api.Side[] {
    return (['white', 'black'] as const).filter((side) => this.game[side].human);
  }

  /** The ply that led to what is shown. */
  get last(): api.Ply | undefined {
    return this.game.moves[this.ply - 1];
  }

  /** What the last measurements showed, once it is shown. */
  get told(): string[] {
    return this.measuring ? [] : (this.last?.measured ?? []).map(({ words }) => words);
  }

  /** Goes to a position of the game; beyond the ends it stays at them. */
  go(ply: number): void {
    const target = Math.min(Math.max(ply, 0), this.game.ply);
    if (target === this.game.ply) this.#goToLatest();
    else void this.#look(target);
  }

  #goToLatest(): void {
    this.#wanted = undefined;
    this.viewed = undefined;
  }

  async #look(ply: number): Promise<void> {
    this.#wanted = ply;
    try {
      const position = await api.position(this.game.id, ply);
      if (this.#wanted === ply) this.viewed = { ply, position };
    } catch (error) {
      if (this.#wanted === ply) this.#complain(error);
    }
  }

  async move(text: string): Promise<void> {
    this.#goToLatest();
    await this.#ask(() => api.move(this.game.id, text, this.game.ply));
  }

  async undo(): Promise<void> {
    this.#goToLatest();
    await this.#ask(() => api.undo(this.game.id));
  }

  async resign(side?: api.Side): Promise<void> {
    await this.#ask(() => api.resign(this.game.id, side));
  }

  async offerDraw(side?: api.Side): Promise<void> {
    await this.#ask(() => api.offerDraw(this.game.id, side));
  }

  async answerDraw(agree: boolean): Promise<void> {
    await this.#ask(() => api.answerDraw(this.game.id, agree));
  }

  async moveNow(): Promise<void> {
    try {
      await api.moveNow(this.game.id);
    } catch (error) {
      this.#complain(error);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stream.close();
  }

  async #ask(request: () => Promise<api.Game>): Promise<void> {
    if (this.busy) return;
    this.problem = '';
    this.busy = true;
    try {
      this.#adopt(await request());
    } catch (error) {
      this.#complain(error);
    } finally {
      this.busy = false;
    }
  }

  /** Reads the game anew; one reading at a time, and another if something happened meanwhile. */
  async refresh(): Promise<void> {
    this.#again = true;
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#again) {
        this.#again = false;
        this.#adopt(await api.game(this.game.id));
      }
    } catch (error) {
      this.#complain(error);
    } finally {
      this.#asking = false;
    }
  }

  #hear(name: string, data: string): void {
    if (name === 'thinking') this.thought = JSON.parse(data) as api.Line;
    else if (name === 'state') this.#adopt(JSON.parse(data) as api.Game);
    else {
      if (name === 'draw_declined') announcer.say((this.problem = m.play.declined));
      if ((JSON.parse(data) as { version: number }).version > this.game.version) void this.refresh();
    }
  }

  #adopt(game: api.Game): void {
    if (game.version <= this.game.version) return;
    const before = this.measuring?.before ?? this.game;
    const fresh = game.moves.slice(this.game.moves.length);
    const ended = game.outcome != null && this.game.outcome == null;
    this.game = game;
    this.thought = undefined;
    const asked = fresh.findLast((ply) => ply.measured.length > 0);
    if (asked) this.#suspend(asked, before, ended);
    else {
      for (const ply of fresh) this.#say(ply);
      if (ended) this.#end();
      else if (fresh.length > 0) play('move');
    }
  }

  #suspend(ply: api.Ply, before: api.Position, ended: boolean): void {
    clearTimeout(this.#timer);
    this.measuring = { square: ply.to, before };
    play('check');
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#timer = setTimeout(
      () => {
        this.measuring = undefined;
        this.#say(ply);
        play(ply.measured[0]?.yes ? 'capture' : 'move');
        if (ended) this.#end();
      },
      still ? 0 : suspense,
    );
  }

  #say(ply: api.Ply): void {
    const found = ply.measured.map(({ words }) => m.quantum.told(words));
    announcer.say([m.quantum.said(m.color[ply.side], ply.split, ply.from, ply.to), ...found].join('. '));
  }

  #end(): void {
    play('end');
    announcer.say(this.game.outcome ? outcomeText(this.game.outcome) : m.play.ended);
  }

  #complain(error: unknown): void {
    this.problem = error instanceof Error ? error.message : String(error);
    play('error');
    announcer.say(this.problem);
  }
}
