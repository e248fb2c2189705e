/** The journal of a match, `games.jsonl`: every finished game on a line. */

export const journalName = 'games.jsonl';

export interface JournalGame {
  game: number;
  white: string;
  black: string;
  result: string;
  reason: string;
  /** What there is to say about its end, such as the last words of an engine. */
  detail?: string;
  start: string | undefined;
  /** As UCI writes them. */
  moves: string[];
  /** What each mover thought of its position, in centipawns of its own view. */
  scores: (number | null)[];
}

export interface JournalLine {
  game: number;
  white: string;
  black: string;
  result: string;
  reason: string;
  detail?: string;
  start?: string;
  moves: string;
  scores?: (number | null)[];
}

/** Reads whole lines; one that is still being written is left for the next time. */
export function readJournal(text: string): JournalGame[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => gameOf(JSON.parse(line) as JournalLine))
    .sort((a, b) => a.game - b.game);
}

/** A game from its line. */
export function gameOf({ moves, start, scores = [], ...game }: JournalLine): JournalGame {
  return { ...game, start, scores, moves: moves.split(' ').filter(Boolean) };
}

/** Points of a player from a game: 1, a half, 0; none where it did not play or the game has no result. */
export function points(game: JournalGame, player: string): number | undefined {
  const white = { '1-0': 1, '0-1': 0, '1/2-1/2': 0.5 }[game.result];
  if (white === undefined) return undefined;
  if (game.white === player) return white;
  return game.black === player ? 1 - white : undefined;
}

export interface Standing {
  player: string;
  wins: number;
  draws: number;
  losses: number;
  points: number;
}

/** Everyone by points, most first. */
export function standings(games: JournalGame[]): Standing[] {
  const players = [...new Set(games.flatMap((game) => [game.white, game.black]))];
  const counted = players.map((player) => {
    const all = games.map((game) => points(game, player)).filter((value) => value !== undefined);
    const count = (value: number) => all.filter((one) => one === value).length;
    const [wins, draws, losses] = [count(1), count(0.5), count(0)];
    return { player, wins, draws, losses, points: wins + draws / 2 };
  });
  return counted.sort((a, b) => b.points - a.points);
}

/** A player's share of the points after each of its games, in percent. */
export function shares(games: JournalGame[], player: string): number[] {
  let sum = 0;
  return games
    .map((game) => points(game, player))
    .filter((value) => value !== undefined)
    .map((value, index) => {
      sum += value;
      return (100 * sum) / (index + 1);
    });
}
