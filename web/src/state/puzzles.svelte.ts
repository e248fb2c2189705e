/** The file of puzzles that was opened, which of them are solved, and which are wanted. */
import { readPuzzles, type Puzzle } from '../notation/puzzles';
import { keepTexts, keptTexts } from './storage';

const fileKey = 'puzzles';
const key = 'tabia.puzzles';

interface Kept {
  solved: string[];
  theme: string;
  /** The place in `levels`. */
  level: number;
}

/** Ranges of ratings, from easy to hard; the first is all. */
export const levels: [number, number][] = [
  [0, 9999],
  [0, 1199],
  [1200, 1599],
  [1600, 1999],
  [2000, 9999],
];

class Puzzles {
  list = $state.raw<Puzzle[]>([]);
  faults = $state.raw<string[]>([]);
  faultCount = $state(0);
  problem = $state('');
  /** Whether the file from last time is still being looked for. */
  loading = $state(true);
  solved = $state.raw<Set<string>>(new Set());
  theme = $state('');
  level = $state(0);

  constructor() {
    try {
      const kept = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Kept>;
      this.solved = new Set(Array.isArray(kept.solved) ? kept.solved : []);
      this.theme = typeof kept.theme === 'string' ? kept.theme : '';
      this.level = levels[kept.level ?? 0] ? (kept.level ?? 0) : 0;
    } catch {
      // What another version kept is not understood: nothing is solved yet.
    }
    void keptTexts(fileKey).then(([text]) => {
      if (text && this.list.length === 0) this.#take(text);
      this.loading = false;
    });
  }

  /** Those of the theme and the level that are wanted. */
  get wanted(): Puzzle[] {
    const [low, high] = levels[this.level] ?? [0, 9999];
    return this.list.filter(
      ({ themes, rating }) =>
        (this.theme === '' || themes.includes(this.theme)) &&
        (this.level === 0 || (rating !== undefined && rating >= low && rating <= high)),
    );
  }

  get open(): Puzzle[] {
    return this.wanted.filter(({ id }) => !this.solved.has(id));
  }

  read(text: string): void {
    if (!this.#take(text)) return;
    if (!this.list.some(({ themes }) => themes.includes(this.theme))) this.theme = '';
    this.level = 0;
    void keepTexts(fileKey, [text]);
    this.keep();
  }

  #take(text: string): boolean {
    this.problem = '';
    try {
      const { puzzles, faults, faultCount } = readPuzzles(text);
      this.list = puzzles;
      this.faults = faults;
      this.faultCount = faultCount;
      return true;
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
      return false;
    }
  }

  solve(id: string): void {
    this.solved = new Set(this.solved).add(id);
    this.keep();
  }

  close(): void {
    this.list = [];
    this.faults = [];
    this.faultCount = 0;
    void keepTexts(fileKey, []);
  }

  keep(): void {
    try {
      const kept: Kept = { solved: [...this.solved], theme: this.theme, level: this.level };
      localStorage.setItem(key, JSON.stringify(kept));
    } catch {
      // Without room it lasts as long as the page.
    }
  }
}

export const puzzles = new Puzzles();
