/**
 * Which colour a number of a field has: orange is White's, blue is Black's, nothing is the bare square. The two are told
 * apart by every kind of colour blindness. The same scale as crates/draw's pictures, laid over the board by opacity.
 */

export interface Field {
  name: string;
  unit: string;
  /** Eight rows of eight, rank 8 first. */
  values: number[][];
}

export interface Scale {
  low: number;
  high: number;
  /** Whose colour positive numbers have; negative ones are Black's. */
  above: 'white' | 'black';
}

/** How much of a square's ground the strongest number hides. */
const strongest = 0.9;

/** Steps between powers of ten that halve without many digits. */
const steps = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

/** Rounded up to a number a legend can show. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = steps.find((candidate) => candidate * power >= value * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** The scale on which all of these fields can be compared; `whose` is the first one's side. */
export function scaleOf(fields: Field[]): Scale {
  const numbers = fields.flatMap((field) => field.values.flat());
  const limit = roundUp(Math.max(...numbers.map(Math.abs), 0));
  const negative = numbers.some((value) => value < 0);
  const positive = numbers.some((value) => value > 0);
  const blacks = fields.length > 0 && fields.every((field) => /\bblack\b/i.test(field.name));
  return {
    low: negative ? -limit : 0,
    high: positive || !negative ? limit : 0,
    above: blacks && !negative ? 'black' : 'white',
  };
}

/** The colour of a number, as CSS. */
export function color(value: number, scale: Scale): string {
  const side = value < 0 ? 'black' : scale.above;
  const end = value < 0 ? -scale.low : scale.high;
  const share = end > 0 ? Math.min(Math.abs(value) / end, 1) : 0;
  return `rgb(var(--${side}-heat) / ${(share * strongest).toFixed(3)})`;
}

/** The numbers a legend shows: the ends, zero, and what lies half way. */
export function ticks(scale: Scale): number[] {
  const below = scale.low < 0 ? [scale.low, scale.low / 2] : [];
  const above = scale.high > 0 ? [scale.high / 2, scale.high] : [];
  return [...below, 0, ...above];
}

/** A number short enough for a square. */
export function short(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 9.95 || Number.isInteger(value) ? 0 : 1;
  const text = size >= 1000 ? `${(value / 1000).toFixed(1)}k` : value.toFixed(digits);
  return text.replace('-', '−');
}
