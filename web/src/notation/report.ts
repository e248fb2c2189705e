/** A reproduction as its report tells it: what a seed says, what was measured here, and what that comes to. */

import type { Json } from './run';
import { numberOf } from './run';

export interface Figure {
  what: string;
  seed: string;
  ours: string;
  ratio: string;
  verdict: string;
  timed: boolean;
}

export interface Picture {
  name: string;
  caption: string;
  /** The picture as an address that needs no server. */
  source: string;
}

export interface Step {
  seed: string;
  name: string;
  title: string;
  section: string;
  how: string;
  figures: Figure[];
  notes: string[];
  pictures: Picture[];
}

export interface Report {
  machine: string | undefined;
  planned: number;
  steps: Step[];
}

const nothing = '—';
const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function list(value: unknown): Json[] {
  return Array.isArray(value)
    ? value.filter((entry): entry is Json => typeof entry === 'object' && entry !== null)
    : [];
}

function measured(figure: Json): string {
  const ours = numberOf(figure['ours']);
  if (ours === undefined) return nothing;
  const error = numberOf(figure['error']);
  const unit = text(figure['unit']);
  const space = unit === '' || unit === '%' ? '' : ' ';
  return `${plain.format(ours)}${error === undefined ? '' : ` ± ${plain.format(error)}`}${space}${unit}`;
}

function readFigure(figure: Json): Figure {
  const seed = figure['seed'] as Json | undefined;
  const ratio = numberOf(figure['ratio']);
  return {
    what: text(figure['what']),
    seed: seed ? text(seed['text']) : nothing,
    ours: measured(figure),
    ratio: ratio === undefined ? nothing : plain.format(ratio),
    verdict: text(figure['verdict']).replaceAll('-', ' '),
    timed: figure['timed'] === true,
  };
}

function readStep(step: Json): Step {
  return {
    seed: text(step['seed']),
    name: text(step['step']),
    title: text(step['title']),
    section: text(step['section']),
    how: text(step['how']),
    figures: list(step['figures']).map(readFigure),
    notes: Array.isArray(step['notes']) ? step['notes'].map(text) : [],
    pictures: list(step['pictures']).map((picture) => ({
      name: text(picture['name']),
      caption: text(picture['caption']),
      source: `data:image/svg+xml,${encodeURIComponent(text(picture['svg']))}`,
    })),
  };
}

/** Reads `report.json`; nothing if it is none. */
export function readReport(source: string): Report | undefined {
  let document: unknown;
  try {
    document = JSON.parse(source);
  } catch {
    return undefined;
  }
  if (typeof document !== 'object' || document === null) return undefined;
  const report = document as Json;
  if (!Array.isArray(report['records'])) return undefined;
  return {
    machine: text(report['machine']) || undefined,
    planned: numberOf(report['planned']) ?? 0,
    steps: list(report['records']).map(readStep),
  };
}
