/** The lesson: five positions, each with something to do, and what is said when it is done or not. */
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
    title: 'Split',
    rule: [
      'Every quiet move can be made, or split: made and not made at once.',
      'A split turns the board into two branches of equal weight. The piece is here in one and there in the other.',
      'Hold Shift, press the piece long, or switch on Split below the board.',
    ],
    task: 'Split the knight from b1 to c3.',
    position: '4k3/p7/8/8/8/8/8/1N2K3 w - - 0 1',
    done: (_, last) => isMove(last, 'b1', 'c3', true),
    praise: (game) =>
      `There are ${game.branches.length} branches now. The knight is on b1 and on c3, 50% each; nobody has to guess which.`,
    advice: 'That was another move. The knight goes from b1 to c3, as a split.',
  },
  {
    title: 'Branches meet again',
    rule: [
      'A move names squares: it moves whatever of yours stands there, in every branch where it can be made. Other branches stay as they are.',
      'Branches that come to be equal are one branch again, and their weights add.',
    ],
    task: 'The knight is on b1 and on c3. Make it one board again, with one move.',
    position: 'w 0 2: 1*4k3/p7/8/8/8/2N5/8/4K3 - - + 1*4k3/p7/8/8/8/8/8/1N2K3 - -',
    done: (game) => game.branches.length === 1,
    praise: (_, last) =>
      last.from === 'c3'
        ? 'Where the knight was on c3 it went home; where it was on b1 it already was. Both boards are the same: one branch, and nothing was measured.'
        : 'Where the knight was on b1 it went over; where it was on c3 it already was. Both boards are the same: one branch, and nothing was measured.',
    advice:
      'There is still more than one branch. Move the knight from one of its places to the other, without a split.',
  },
  {
    title: 'A capture is measured',
    rule: [
      'Only captures look. A move that captures in some branches and not in others is measured.',
      'With the chance of those branches the capture happens, and only they are left. Otherwise only the others are.',
    ],
    task: 'The knight is on d5 or on f6. Move the queen to d5, and see.',
    position: 'w 1 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -',
    done: (_, last) => isMove(last, 'd1', 'd5', false),
    praise: (_, last) =>
      last.measured[0]?.yes
        ? 'The knight was there, and is taken. The branch in which it stood on f6 is gone.'
        : 'Nothing was there: the queen is on d5 all the same, and the knight has been on f6 all along.',
    advice: 'That does not ask anything. The queen goes from d1 to d5.',
  },
  {
    title: 'Past what may be there',
    rule: [
      'A piece slides where its way is free. Where something stands in the way, it stays: branch by branch.',
      'Nothing is captured, so nothing is measured. The two pieces are entangled now: ask for one, and you know the other.',
    ],
    task: 'The knight is on b3 or on a5. Move the rook from a1 to a7, past a5.',
    position: 'w 1 2: 1*7k/8/8/8/8/1n6/8/R6K - - + 1*7k/8/8/n7/8/8/8/R6K - -',
    done: (_, last) => isMove(last, 'a1', 'a7', false),
    praise: () =>
      'The rook is on a7 where the knight is on b3, and still on a1 where the knight is on a5. Point at the rook: what depends on it is marked.',
    advice: 'That was another move. The rook goes from a1 to a7.',
  },
  {
    title: 'The king, for certain',
    rule: [
      'There is no check. Whoever takes the king wins.',
      'If only some of the branches that are left lose their king, one more measurement decides. A capture that takes the king in every branch needs no luck.',
    ],
    task: 'Three of your pieces may take the king on e8. One of them wins for certain: take it with that one.',
    position:
      'w 0 10: 1*4k3/2N2b2/8/7Q/8/8/8/4R2K - - + 1*4k1b1/2N5/8/7Q/8/8/8/4R2K - - + 1*4k3/2N2b2/8/7Q/8/8/8/3R3K - - + 1*4k1b1/2N5/8/7Q/8/8/8/3R3K - -',
    done: (game, last) => game.outcome?.winner === 'white' && last.measured.length === 0,
    praise: () =>
      'Won without luck. The rook was on e1 in half of the branches only, and the bishop on f7 might have stood in the queen’s way; the knight was there in all.',
    advice:
      'Some pieces take the king in half of the branches only. The chance is shown before you confirm: look for 100%.',
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
