/**
 * One game, as the page knows it: the server's document, kept up to date by its events, and on top of it what only the page
 * knows: a move on its way, and which position is being looked at.
 */
import type { Color } from '@lichess-org/chessground/types';
import * as api from '../api/client';
import { write, type Written } from '../notation/line';
import { outcomeText } from '../notation/outcome';
import { spokenSan } from '../notation/speech';
import { announcer } from './announce.svelte';
import { play } from './sound';
import { Stream } from './stream.svelte';
import { m } from '../text/catalogue.svelte';

/** Openings have names for about this many half-moves. */
const bookPlies = 30;
/** A move that did not arrive is sent again after so long, in milliseconds. */
const retryMs = 1_000;

export class GameSession {
  /** As the server last told it. */
  game = $state<api.Game>() as api.Game;
  /** Our move, shown at once and not yet confirmed. */
  pending = $state<Written>();
  /** How many moves have been made in the position that is looked at; undefined is the latest. */
  viewed = $state<number>();
  /** What the thinking agent makes of it so far. */
  thought = $state<api.Line>();
  /** What went wrong last, in words. */
  problem = $state('');
  /** When the clocks were told, by `performance.now()`. */
  clockRead = $state(performance.now());
  /** How many moves had been made when `pending` was. */
  #sentAt = 0;
  /** Whether `pending` is being sent: it is sent once at a time. */
  #inFlight = false;
  #stream: Stream;

  constructor(
    game: api.Game,
    /** Seen by a watcher, who cannot move. */
    readonly watching = false,
  ) {
    this.game = game;
    const events = watching ? api.watchEvents : api.gameEvents;
    this.#stream = new Stream(() => events(game.id, this.game.version), {
      names: [...api.gameEventNames],
      hear: (name, data) => this.#hear(name, data),
      again: () => void this.#refresh(),
    });
  }

  get connection() {
    return this.#stream.connection;
  }

  /** The moves, with the one on its way. */
  get moves(): { uci: string; san: string; fen: string }[] {
    return this.pending ? [...this.game.moves, this.pending] : this.game.moves;
  }

  get ply(): number {
    return this.viewed ?? this.moves.length;
  }

  get isLatest(): boolean {
    return this.viewed === undefined;
  }

  /** The position that is looked at. */
  get fen(): string {
    return this.moves[this.ply - 1]?.fen ?? this.game.start_fen;
  }

  get lastMove(): string | undefined {
    return this.moves[this.ply - 1]?.uci;
  }

  get check(): boolean {
    const san = this.moves[this.ply - 1]?.san;
    return san === undefined ? this.game.check && this.game.ply === 0 : /[+#]$/.test(san);
  }

  get over(): boolean {
    return this.game.outcome !== null && this.game.outcome !== undefined;
  }

  get thinking(): boolean {
    return !this.over && (this.pending ? !this.#isHuman(this.#next()) : this.game.awaits === 'agent');
  }

  /** The sides people play here. */
  get people(): Color[] {
    if (this.watching) return [];
    return (['white', 'black'] as const).filter((color) => this.#isHuman(color));
  }

  /** What is thought of the position that is looked at, in White's view. */
  get evaluation(): { cp?: number | undefined; mate?: number | undefined } | undefined {
    const live = this.isLatest ? (this.thought ?? this.game.evaluation) : this.game.moves[this.ply - 1];
    if (!live || (live.score_cp == null && live.mate == null)) return undefined;
    return { cp: live.score_cp ?? undefined, mate: live.mate ?? undefined };
  }

  #isHuman(color: Color): boolean {
    return this.game[color].human;
  }

  #next(): Color {
    return this.game.turn === 'white' ? 'black' : 'white';
  }

  /** Goes to a position of the game; beyond the ends it stays at them. */
  go(ply: number): void {
    const last = this.moves.length;
    const target = Math.min(Math.max(ply, 0), last);
    this.viewed = target === last ? undefined : target;
  }

  /** Plays a move: seen at once, sent, and sent again if the connection broke on the way. */
  async move(uci: string): Promise<void> {
    if (this.pending) return;
    const written = write(this.game.fen, [uci])[0];
    if (!written) return;
    this.viewed = undefined;
    this.thought = undefined;
    this.pending = written;
    this.#sentAt = this.game.moves.length;
    this.problem = '';
    this.#sound(written.san);
    await this.#send();
  }

  async #send(): Promise<void> {
    const move = this.pending;
    if (!move || this.#inFlight) return;
    this.#inFlight = true;
    try {
      this.#adopt(await api.move(this.game.id, move.uci, this.game.ply));
    } catch (error) {
      // Without a connection the move waits; the stream says when the server is back, unless it never noticed.
      if (error instanceof api.Unreachable) {
        setTimeout(() => {
          if (this.connection === 'open') void this.#send();
        }, retryMs);
        return;
      }
      // One that the events have brought meanwhile has arrived all the same.
      if (this.pending === move) {
        this.pending = undefined;
        this.#complain(error);
      }
    } finally {
      this.#inFlight = false;
    }
    // Events may bring a move before its answer comes: the next one, made since, was not sent yet.
    if (this.pending && this.pending !== move) await this.#send();
  }

  async undo(): Promise<void> {
    this.viewed = undefined;
    await this.#ask(() => api.undo(this.game.id));
  }

  async resign(side?: Color): Promise<void> {
    await this.#ask(() => api.resign(this.game.id, side));
  }

  async offerDraw(side?: Color): Promise<void> {
    await this.#ask(() => api.offerDraw(this.game.id, side));
  }

  async answerDraw(agree: boolean): Promise<void> {
    await this.#ask(() => api.answerDraw(this.game.id, agree));
  }

  /** Asks the thinking agent to play what it has. */
  async moveNow(): Promise<void> {
    try {
      await api.moveNow(this.game.id);
    } catch (error) {
      this.#complain(error);
    }
  }

  close(): void {
    this.#stream.close();
  }

  async #ask(request: () => Promise<api.Game>): Promise<void> {
    this.problem = '';
    try {
      this.#adopt(await request());
    } catch (error) {
      this.#complain(error);
    }
  }

  #complain(error: unknown): void {
    this.problem = error instanceof Error ? error.message : String(error);
    play('error');
    announcer.say(this.problem);
  }

  /** Takes a whole document, unless events have brought a later one already. */
  #adopt(game: api.Game): void {
    if (game.version < this.game.version) return;
    const before = this.game;
    this.game = game;
    this.clockRead = performance.now();
    this.#settle();
    for (const move of game.moves.slice(before.moves.length)) this.#tell(move);
    if (game.outcome && !before.outcome) this.#ended();
  }

  /** A move that has arrived is no longer on its way, and what was thought before it is no longer thought. */
  #settle(): void {
    if (this.game.awaits !== 'agent') this.thought = undefined;
    if (this.over || this.game.moves.length !== this.#sentAt) this.pending = undefined;
  }

  async #refresh(): Promise<void> {
    try {
      this.#adopt(await this.#look());
      await this.#send();
    } catch (error) {
      if (!(error instanceof api.Unreachable)) this.#complain(error);
    }
  }

  #look(): Promise<api.Game> {
    return this.watching ? api.watchedGame(this.game.id) : api.game(this.game.id);
  }

  #hear(name: string, data: string): void {
    if (name === 'thinking') {
      const { ply, line } = JSON.parse(data) as api.Thinking;
      if (ply === this.game.ply && !this.pending) this.thought = line;
    } else if (name === 'state') this.#adopt(JSON.parse(data) as api.Game);
    else this.#follow(JSON.parse(data) as api.GameEvent);
  }

  /** One thing that happened; where something before it is missing, the whole game is asked for. */
  #follow(event: api.GameEvent): void {
    // Said even where the answer to a request has brought the game that far already: both come at the same time.
    if (event.type === 'draw_declined') announcer.say((this.problem = m.play.declined));
    if (event.type === 'draw_offered') announcer.say(m.play.offers(m.color[event.by ?? 'white']));
    if (event.detail) this.problem = event.detail;
    if (event.version <= this.game.version) return;
    if (event.version !== this.game.version + 1) {
      void this.#refresh();
      return;
    }
    const moves = [...this.game.moves];
    if (event.plies) moves.splice(moves.length - event.plies);
    if (event.move) moves.push(event.move);
    const evaluation = event.type === 'undone' ? null : (this.thought ?? this.game.evaluation);
    this.#adopt({ ...this.game, ...event.position, moves, version: event.version, evaluation });
    // Events do not say what the opening is called.
    if (event.move && event.move.ply <= bookPlies && !this.#isHuman(event.move.side)) void this.#refresh();
  }

  #tell(move: api.PlayedMove): void {
    const own = this.#isHuman(move.side);
    if (!own) this.#sound(move.san);
    announcer.say(m.speech.move(m.color[move.side], spokenSan(move.san)));
  }

  #ended(): void {
    play('end');
    announcer.say(this.game.outcome ? outcomeText(this.game.outcome) : m.play.ended);
  }

  #sound(san: string): void {
    play(/[+#]/.test(san) ? 'check' : san.includes('x') ? 'capture' : 'move');
  }
}
