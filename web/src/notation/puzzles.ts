/** Puzzles from a file: the columns of lichess's database, FEN, Moves, Rating and Themes among them. */
import { m } from '../text/catalogue.svelte';

export interface Puzzle {
  id: string;
  /** Before the opponent's move, which is the first of the moves. */
  fen: string;
  moves: string[];
  rating: number | undefined;
  themes: string[];
}

export interface PuzzleFile {
  puzzles: Puzzle[];
  /** The first lines that could not be read, in sentences, and how many there are. */
  faults: string[];
  faultCount: number;
}

/** As lichess writes them, where the first line does not name the columns. */
const usual = ['PuzzleId', 'FEN', 'Moves', 'Rating', 'RatingDeviation', 'Popularity', 'NbPlays', 'Themes'];
const toldFaults = 3;
const looksLikeMove = /^[a-h][1-8][a-h][1-8][qrbn]?$/;
const looksLikeFen = /^[1-8pnbrqkPNBRQK/]{15,} [wb] \S+ \S+/;

/** Reads a file; throws what is wrong with it where there is no puzzle at all. */
export function readPuzzles(text: string): PuzzleFile {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const first = fieldsOf(lines[0] ?? '');
  const named = first.some((name) => /^fen$/i.test(name));
  const columns = (named ? first : usual).map((name) => name.toLowerCase());
  const column = (name: string): number => columns.indexOf(name);
  const [fen, moves, rating, themes, id] = ['fen', 'moves', 'rating', 'themes', 'puzzleid'].map(column);
  if (named && moves === -1) throw new Error(m.fault.noMovesColumn);
  const file: PuzzleFile = { puzzles: [], faults: [], faultCount: 0 };
  for (const [index, line] of lines.entries()) {
    if ((named && index === 0) || line.trim() === '') continue;
    const fields = fieldsOf(line);
    const at = (place: number | undefined): string => (place === undefined ? '' : (fields[place] ?? ''));
    const played = at(moves).split(' ').filter(Boolean);
    const fault = !looksLikeFen.test(at(fen))
      ? m.fault.puzzleFen(index + 1, at(fen).slice(0, 40))
      : played.length < 2 || !played.every((move) => looksLikeMove.test(move))
        ? m.fault.puzzleMoves(index + 1, at(moves).slice(0, 40))
        : undefined;
    if (fault) {
      file.faultCount += 1;
      if (file.faults.length < toldFaults) file.faults.push(fault);
      continue;
    }
    file.puzzles.push({
      id: at(id) || `${index}`,
      fen: at(fen),
      moves: played,
      rating: /^\d+$/.test(at(rating)) ? Number(at(rating)) : undefined,
      themes: at(themes).split(' ').filter(Boolean),
    });
  }
  if (file.puzzles.length === 0) throw new Error([m.fault.noPuzzle, ...file.faults].join(' '));
  return file;
}

/** The fields of a line; those in quotation marks may have commas. */
function fieldsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',').map((field) => field.trim());
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .map(([, field = '']) => field.trim())
    .map((field) => (field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field));
}

/** "mateIn2" as people write it. */
export function themeName(theme: string): string {
  const known = (m.reasons.motifs as Record<string, string>)[theme];
  return known ?? theme.replace(/([A-Z]|\d+)/g, ' $1').toLowerCase();
}

/** Themes by how many puzzles have them. */
export function themesOf(puzzles: Puzzle[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { themes } of puzzles)
    for (const theme of themes) counts.set(theme, (counts.get(theme) ?? 0) + 1);
  return [...counts].sort(([, one], [, two]) => two - one);
}
