/** The lesson: five positions, each with something to do, and what is said when it is done or not. */
import { m } from '../text/catalogue.svelte';
import type { Game, Ply } from './api';

export interface Step {
  title: string;
  /** The rule, in sentences. */
  rule: string[];
  task: string;
  position: string;
  /** Whether the move just made does what was asked. */
  done: (game: Game, last: Ply) => boolean;
  /** What is said then; what was measured is said before it. */
  praise: (game: Game, last: Ply) => string;
  /** What is said of any other move. */
  advice: string;
}

const isMove = (ply: Ply, from: string, to: string, split: boolean): boolean =>
  ply.from === from && ply.to === to && ply.split === split;

export const steps: Step[] = [
  {
    get title() {
      return m.lesson.split.title;
    },
    get rule() {
      return Object.values(m.lesson.split.rule);
    },
    get task() {
      return m.lesson.split.task;
    },
    position: '4k3/p7/8/8/8/8/8/1N2K3 w - - 0 1',
    done: (_, last) => isMove(last, 'b1', 'c3', true),
    praise: (game) => m.lesson.split.praise(game.branches.length),
    get advice() {
      return m.lesson.split.advice;
    },
  },
  {
    get title() {
      return m.lesson.meet.title;
    },
    get rule() {
      return Object.values(m.lesson.meet.rule);
    },
    get task() {
      return m.lesson.meet.task;
    },
    position: 'w 0 2: 1*4k3/p7/8/8/8/2N5/8/4K3 - - + 1*4k3/p7/8/8/8/8/8/1N2K3 - -',
    done: (game) => game.branches.length === 1,
    praise: (_, last) => (last.from === 'c3' ? m.lesson.meet.home : m.lesson.meet.over),
    get advice() {
      return m.lesson.meet.advice;
    },
  },
  {
    get title() {
      return m.lesson.measure.title;
    },
    get rule() {
      return Object.values(m.lesson.measure.rule);
    },
    get task() {
      return m.lesson.measure.task;
    },
    position: 'w 1 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -',
    done: (_, last) => isMove(last, 'd1', 'd5', false),
    praise: (_, last) => (last.measured[0]?.yes ? m.lesson.measure.there : m.lesson.measure.nothing),
    get advice() {
      return m.lesson.measure.advice;
    },
  },
  {
    get title() {
      return m.lesson.past.title;
    },
    get rule() {
      return Object.values(m.lesson.past.rule);
    },
    get task() {
      return m.lesson.past.task;
    },
    position: 'w 1 2: 1*7k/8/8/8/8/1n6/8/R6K - - + 1*7k/8/8/n7/8/8/8/R6K - -',
    done: (_, last) => isMove(last, 'a1', 'a7', false),
    praise: () => m.lesson.past.praise,
    get advice() {
      return m.lesson.past.advice;
    },
  },
  {
    get title() {
      return m.lesson.king.title;
    },
    get rule() {
      return Object.values(m.lesson.king.rule);
    },
    get task() {
      return m.lesson.king.task;
    },
    position:
      'w 0 10: 1*4k3/2N2b2/8/7Q/8/8/8/4R2K - - + 1*4k1b1/2N5/8/7Q/8/8/8/4R2K - - + 1*4k3/2N2b2/8/7Q/8/8/8/3R3K - - + 1*4k1b1/2N5/8/7Q/8/8/8/3R3K - -',
    done: (game, last) => game.outcome?.winner === 'white' && last.measured.length === 0,
    praise: () => m.lesson.king.praise,
    get advice() {
      return m.lesson.king.advice;
    },
  },
];

const key = 'tabia.lesson';

/** How many steps have been done. */
export function progress(): number {
  try {
    const kept = Number(localStorage.getItem(key) ?? '0');
    return Number.isInteger(kept) ? Math.min(Math.max(kept, 0), steps.length) : 0;
  } catch {
    return 0;
  }
}

export function keep(done: number): void {
  try {
    localStorage.setItem(key, String(done));
  } catch {
    // Without storage the lesson begins anew with the page.
  }
}
