/** Fields of evaluations over the board: which one is shown, what the last move changed in it, and another one beside it. */
import type { Key } from '@lichess-org/chessground/types';
import { scaleOf, type Field, type Scale } from '../board/heat';
import { m } from '../text/catalogue.svelte';
import { Explainer } from './explain.svelte';

export class Heatmaps {
  readonly first = new Explainer('field');
  readonly second = new Explainer('axiomx');
  /** The first evaluation of the position before the last move. */
  readonly #before = new Explainer('field');

  compare = $state(false);
  /** The name of the field over the board; empty is none. */
  chosen = $state('');
  numbers = $state(false);
  /** Whether the board shows what the last move changed. */
  change = $state(false);
  /** The square that is pointed at. */
  square = $state<Key>();

  /** What is over the board. */
  readonly field = $derived.by<Field | undefined>(() => {
    const shown = this.#find(this.first);
    return this.change && shown ? difference(shown, this.#find(this.#before)) : shown;
  });

  /** Boards side by side share a scale where their numbers mean the same. */
  readonly scale = $derived.by<Scale | undefined>(() => {
    const { field } = this;
    const beside = this.compare ? this.#find(this.second) : undefined;
    return field && beside && !this.change && field.unit === beside.unit
      ? scaleOf([field, beside])
      : undefined;
  });

  /** Asks about a position, and about the one before it where that is shown. */
  look(fen: string, earlier: string): void {
    this.first.look(fen);
    if (this.compare) this.second.look(fen);
    if (!this.change) return;
    const { evaluation } = this.first;
    if (this.#before.evaluation !== evaluation) this.#before.choose(evaluation);
    this.#before.look(earlier);
  }

  close(): void {
    for (const explainer of [this.first, this.second, this.#before]) explainer.close();
  }

  #find({ answer }: Explainer): Field | undefined {
    return this.chosen === '' ? undefined : answer?.fields.find(({ name }) => name === this.chosen);
  }
}

function difference(after: Field, earlier: Field | undefined): Field | undefined {
  if (!earlier) return undefined;
  const values = after.values.map((row, rank) =>
    row.map((value, file) => value - (earlier.values[rank]?.[file] ?? 0)),
  );
  return { ...after, name: m.sees.changeOf(after.name), values };
}
