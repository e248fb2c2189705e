/** How a match stands while it is played, as its `live.json` says. */
import { list, numberOf, object } from './run';

/** A game being played. */
export interface LiveGame {
  game: number;
  white: string;
  black: string;
  start: string | undefined;
  /** As UCI writes them. */
  moves: string[];
  /** What whoever moved last thinks of it, in White's view. */
  cp: number | undefined;
  mate: number | undefined;
  /** What is left to White and to Black, in milliseconds. */
  clocks: [number, number] | undefined;
}

export interface Live {
  finished: number;
  total: number;
  /** Milliseconds that the rest will take as it goes now. */
  left: number | undefined;
  games: LiveGame[];
  /** As `tabia match --json` writes it. */
  result: unknown;
  /** The sequential test after so many pairs. */
  llr: { pairs: number; llr: number }[];
}

export function readLive(text: unknown): Live {
  const live = object(text) ?? {};
  return {
    finished: numberOf(live['finished']) ?? 0,
    total: numberOf(live['total']) ?? 0,
    left: numberOf(live['left_ms']),
    games: list(live['games']).map((entry) => gameOf(object(entry) ?? {})),
    result: live['result'],
    llr: list(live['llr']).map((entry) => {
      const point = object(entry) ?? {};
      return { pairs: numberOf(point['pairs']) ?? 0, llr: numberOf(point['llr']) ?? 0 };
    }),
  };
}

function gameOf(game: Record<string, unknown>): LiveGame {
  const text = (key: string): string => {
    const value = game[key];
    return typeof value === 'string' ? value : '';
  };
  const [white, black] = list(game['clocks_ms']).map(numberOf);
  return {
    game: numberOf(game['game']) ?? 0,
    white: text('white'),
    black: text('black'),
    start: text('start') || undefined,
    moves: text('moves').split(' ').filter(Boolean),
    cp: numberOf(game['score_cp']),
    mate: numberOf(game['mate']),
    clocks: white === undefined || black === undefined ? undefined : [white, black],
  };
}

/** "3 min 20 s", "1 h 5 min". */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
