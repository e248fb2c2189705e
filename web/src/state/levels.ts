/** Strengths with names. The numbers are the ratings the strong search is calibrated for; none is all it has. */

export interface Level {
  name: string;
  elo: number | undefined;
}

export const levels: Level[] = [
  { name: 'Beginner', elo: 600 },
  { name: 'Novice', elo: 900 },
  { name: 'Casual', elo: 1200 },
  { name: 'Club', elo: 1500 },
  { name: 'Strong club', elo: 1800 },
  { name: 'Expert', elo: 2100 },
  { name: 'Master', elo: 2400 },
  { name: 'Full strength', elo: undefined },
];

export function levelName(elo: number | undefined): string {
  return levels.find((level) => level.elo === elo)?.name ?? `Rating ${elo}`;
}
