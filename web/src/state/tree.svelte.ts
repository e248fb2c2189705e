/** A tree of moves from a position, with one node looked at: a game and the variations tried on it. */
import { startFen, write } from '../notation/line';
import type { Score } from '../notation/score';

/** A move and what may follow it; the first child is the main line. */
export interface MoveNode {
  uci: string;
  san: string;
  fen: string;
  parent: MoveNode | undefined;
  children: MoveNode[];
  score?: Score | undefined;
  mark?: string | undefined;
  comment?: string | undefined;
}

export interface GivenMove {
  uci: string;
  san: string;
  fen: string;
  score?: Score | undefined;
  mark?: string | undefined;
  comment?: string | undefined;
}

export class MoveTree {
  root = $state<MoveNode>(rootOf(startFen));
  current = $state<MoveNode>(this.root);

  constructor(fen: string = startFen, moves: GivenMove[] = []) {
    this.reset(fen, moves);
  }

  /** Begins anew, at the start of a line. */
  reset(fen: string, moves: GivenMove[] = []): void {
    this.root = rootOf(fen);
    let node = this.root;
    for (const move of moves) {
      node.children.push({ ...move, parent: node, children: [] });
      node = node.children[0] ?? node;
    }
    this.current = this.root;
  }

  get fen(): string {
    return this.current.fen;
  }

  /** The moves that lead to the node looked at, and the main line after it. */
  get moves(): MoveNode[] {
    const line = path(this.current);
    let node = this.current;
    while (node.children[0]) {
      node = node.children[0];
      line.push(node);
    }
    return line;
  }

  get ply(): number {
    return path(this.current).length;
  }

  /** Goes to a ply of the line looked at. */
  go(ply: number): void {
    const line = this.moves;
    const target = Math.min(Math.max(ply, 0), line.length);
    this.current = target === 0 ? this.root : (line[target - 1] ?? this.root);
  }

  select(node: MoveNode): void {
    this.current = node;
  }

  /** Plays a move from the node looked at: along the tree where it is known, else as a new variation. */
  play(uci: string): boolean {
    const known = this.current.children.find((child) => child.uci === uci);
    if (known) {
      this.current = known;
      return true;
    }
    const written = write(this.current.fen, [uci])[0];
    if (!written) return false;
    this.current.children.push({ ...written, parent: this.current, children: [] });
    this.current = this.current.children.at(-1) ?? this.current;
    return true;
  }

  /** Takes the node looked at, and what follows it, out of the tree. */
  cut(): void {
    const { parent, uci } = this.current;
    if (!parent) return;
    parent.children = parent.children.filter((child) => child.uci !== uci);
    this.current = parent;
  }
}

function rootOf(fen: string): MoveNode {
  return { uci: '', san: '', fen, parent: undefined, children: [] };
}

function path(node: MoveNode): MoveNode[] {
  const line: MoveNode[] = [];
  for (let step = node; step.parent; step = step.parent) line.unshift(step);
  return line;
}
