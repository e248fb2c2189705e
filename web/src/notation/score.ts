/** A score in words and as a share of the bar. White's view everywhere. */
import { m } from '../text/catalogue.svelte';

export interface Score {
  cp?: number | null | undefined;
  /** Moves to mate; negative when Black mates. */
  mate?: number | null | undefined;
}

/** The score of a line or of a played move; nothing where there is none. */
export function scoreOf(line: {
  score_cp?: number | null | undefined;
  mate?: number | null | undefined;
}): Score | undefined {
  if (line.score_cp == null && line.mate == null) return undefined;
  return { cp: line.score_cp, mate: line.mate };
}

/** On the one line that records keep, a mate given after some half-moves is this less those. */
const given = 32_000;
const leastMate = 30_000;

/** A score of a record: centipawns, with mates at the far ends. */
export function recorded(raw: number): Score {
  const far = Math.abs(raw);
  return far < leastMate ? { cp: raw } : { mate: Math.sign(raw) * Math.ceil((given - far) / 2) };
}

/** "+0.53", "#3", "#−2"; "#" alone where it has been given. */
export function scoreText(score: Score | undefined, digits = 2): string {
  if (!score) return '';
  if (score.mate !== undefined && score.mate !== null) return mateText(score.mate);
  const pawns = (score.cp ?? 0) / 100;
  const text = pawns.toFixed(digits).replace('-', '−');
  return pawns > 0 ? `+${text}` : text;
}

function mateText(moves: number): string {
  return Math.abs(moves) < 1 ? '#' : `#${moves}`.replace('-', '−');
}

/** Centipawns at which winning is as likely as 73 to 27: how steep the bar is. */
const steepness = 0.00368208;

/** White's share of the bar, 0 to 1: what winning chances a score stands for. */
export function share(score: Score | undefined): number {
  if (!score) return 0.5;
  if (score.mate !== undefined && score.mate !== null) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-steepness * (score.cp ?? 0)));
}

/** The score that stands for some winning chances of White's, 0 to 1. */
export function chanceScore(chance: number): Score {
  const inner = Math.min(Math.max(chance, 0.001), 0.999);
  return { cp: Math.round(-Math.log(1 / inner - 1) / steepness) };
}

/** "White is better" for those who do not see the bar. */
export function scoreWords(score: Score | undefined): string {
  if (!score) return m.score.none;
  if (score.mate !== undefined && score.mate !== null) {
    const winner = score.mate > 0 ? m.color.White : m.color.Black;
    return Math.abs(score.mate) < 1 ? m.score.mated(winner) : m.score.mates(winner, Math.abs(score.mate));
  }
  const pawns = (score.cp ?? 0) / 100;
  if (Math.abs(pawns) < 0.25) return m.score.equal(scoreText(score));
  return m.score.better(pawns > 0 ? m.color.White : m.color.Black, Math.abs(pawns).toFixed(2));
}
