/** Squares by name, and in the order in which a board shows them. */
import type { Color, Key } from '@lichess-org/chessground/types';

export const files = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
export const ranks = ['1', '2', '3', '4', '5', '6', '7', '8'] as const;

/** The 64 squares row by row from the upper left corner, as seen by `orientation`. */
export function squares(orientation: Color): Key[] {
  const white = [...ranks].reverse().flatMap((rank) => files.map((file) => `${file}${rank}` as Key));
  return orientation === 'white' ? white : white.reverse();
}

export function isDark(square: string): boolean {
  return (square.charCodeAt(0) + square.charCodeAt(1)) % 2 === 0;
}

/** A number of a field: rank 8 is its first row, file a its first column. */
export function at(values: number[][], square: string): number {
  return values[8 - Number(square[1])]?.[square.charCodeAt(0) - 97] ?? 0;
}

export function isSquare(text: string): text is Key {
  return /^[a-h][1-8]$/.test(text);
}
