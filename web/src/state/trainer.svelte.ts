/** An exercise on the board: a position in which a move is to be found, or several with the opponent's replies between them. */
import type { Color } from '@lichess-org/chessground/types';
import { turnOf } from '../board/pieces';
import { numbered, write } from '../notation/line';
import { standing } from '../notation/position';
import type { Puzzle } from '../notation/puzzles';
import type { Mistake } from './mistakes.svelte';

/** How long a move stands on the board before it is answered, in milliseconds. */
const answering = 400;

/** What is asked: at each of one's turns the moves that are right, and what follows the first of them. */
interface Step {
  right: string[];
  reply?: string | undefined;
}

export class Trainer {
  fen = $state('');
  last = $state<string>();
  /** How it stands: a move is looked for, the last one was wrong, it was found, or it was shown. */
  phase = $state<'open' | 'wrong' | 'solved' | 'shown'>('open');
  /** The move that was wrong, as people write it. */
  wrong = $state('');
  /** How much help was given: 0 none, 1 words, 2 the piece. */
  hints = $state(0);
  /** Whose move is looked for. */
  readonly side: Color;
  /** The moves that have been found or shown, as they are written. */
  solution = $state('');
  /** Whether any help was needed, a wrong try included. */
  helped = $state(false);
  #steps: Step[];
  #at = 0;
  #start: string;
  #line: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(fen: string, steps: Step[], last?: string) {
    this.fen = fen;
    this.last = last;
    this.side = turnOf(fen);
    this.#start = fen;
    this.#steps = steps;
  }

  static ofMistake({ fen, accepted }: Mistake): Trainer {
    return new Trainer(fen, [{ right: accepted.map(({ uci }) => uci) }]);
  }

  /** The opponent's first move is made; nothing where its moves cannot be played. */
  static ofPuzzle({ fen, moves }: Puzzle): Trainer | undefined {
    const written = write(fen, moves);
    const first = written[0];
    if (!first || written.length < moves.length) return undefined;
    const steps: Step[] = [];
    for (let index = 1; index < moves.length; index += 2)
      steps.push({ right: [moves[index] ?? ''], reply: moves[index + 1] });
    return new Trainer(first.fen, steps, first.uci);
  }

  get over(): boolean {
    return this.phase === 'solved' || this.phase === 'shown';
  }

  /** The square of the piece to move, once that much help was asked for. */
  get hintSquare(): string | undefined {
    return this.hints >= 2 && !this.over ? this.#steps[this.#at]?.right[0]?.slice(0, 2) : undefined;
  }

  hint(): void {
    this.hints += 1;
    this.helped = true;
  }

  /** Tries a move. */
  try(uci: string): void {
    const step = this.#steps[this.#at];
    const tried = write(this.fen, [uci])[0];
    if (!step || !tried || this.over || this.#timer) return;
    // Castling has two names; and whoever mates has found a right move, too.
    const right = step.right.some((move) => write(this.fen, [move])[0]?.san === tried.san);
    if (!right && standing(tried.fen).over !== 'checkmate') {
      this.phase = 'wrong';
      this.wrong = tried.san;
      this.helped = true;
      return;
    }
    this.#go(uci, right ? step.reply : undefined);
  }

  #go(uci: string, reply: string | undefined): void {
    this.#play(uci);
    this.#at += 1;
    this.hints = 0;
    if (!reply || this.#at >= this.#steps.length) {
      this.phase = 'solved';
      return;
    }
    this.phase = 'open';
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#play(reply);
    }, answering);
  }

  #play(uci: string): void {
    const move = write(this.fen, [uci])[0];
    if (!move) return;
    this.fen = move.fen;
    this.last = move.uci;
    this.#line.push(uci);
    this.solution = numbered(this.#start, write(this.#start, this.#line));
  }

  /** Plays the rest of the solution. */
  show(): void {
    this.close();
    this.helped = true;
    for (const step of this.#steps.slice(this.#at)) {
      this.#play(step.right[0] ?? '');
      if (step.reply && step !== this.#steps.at(-1)) this.#play(step.reply);
    }
    this.#at = this.#steps.length;
    this.phase = 'shown';
  }

  /** The position and the moves from it, for the analysis board. */
  get address(): Record<string, string> {
    return { fen: this.#start.replaceAll(' ', '_'), line: this.#line.join('.') };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
