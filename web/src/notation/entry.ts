/** A move as a person types it, found among the moves the server offers. */

export interface Offered {
  uci: string;
  san: string;
}

/** Letters that carry the meaning: no marks of check, capture or praise; zeros castle too. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/0-0-0|0-0/g, (zeros) => zeros.replaceAll('0', 'O'))
    .replace(/[x+#!?=:\s-]|e\.p\.?/g, '');
}

/** The move meant by a text: SAN or UCI. Capital letters count only where two moves differ by them alone. */
export function find<Move extends Offered>(text: string, moves: Move[]): Move | undefined {
  const wanted = bare(text);
  if (wanted === '') return undefined;
  const exact = moves.find((move) => bare(move.san) === wanted || move.uci === wanted.toLowerCase());
  if (exact) return exact;
  const loose = moves.filter((move) => bare(move.san).toLowerCase() === wanted.toLowerCase());
  return loose.length === 1 ? loose[0] : undefined;
}
