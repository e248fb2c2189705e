/** A tree of moves from a position, with one node looked at: a game and the variations tried on it. */
import type { Review } from '../api/client';
import { startFen, write } from '../notation/line';
import { glyphs, markOfNags, nagOf } from '../notation/marks';
import { proseOf, withProse, withScore, writeGame, type ReadNode, type WrittenNode } from '../notation/pgn';
import type { Score } from '../notation/score';

/** What the review of a game found in a position. */
export interface Analysed {
  score: Score;
  /** The best line, as UCI writes it; empty until it is known. */
  best: string[];
}

/** A move and what may follow it; the first child is the main line. */
export interface MoveNode {
  uci: string;
  san: string;
  fen: string;
  parent: MoveNode | undefined;
  children: MoveNode[];
  nags: number[];
  comments: string[];
  before: string[];
  /** As the file or the game's players tell it. */
  score?: Score | undefined;
  /** As our analysis tells it. */
  analysed?: Analysed | undefined;
  /** What the coach makes of the move, and why. */
  judged?: string | undefined;
  review?: Review | undefined;
}

/** A whole tree as it is kept: plain values, no parents. */
export interface KeptNode {
  u: string;
  n?: number[];
  c?: string[];
  b?: string[];
  s?: Score;
  a?: Analysed;
  j?: string;
  r?: Review;
  k?: KeptNode[];
}

export interface KeptTree {
  fen: string;
  comments: string[];
  headers: [string, string][];
  analysed?: Analysed | undefined;
  children: KeptNode[];
  /** The node looked at, by the numbers of the children that lead to it. */
  path: number[];
}

export class MoveTree {
  root = $state<MoveNode>(rootOf(startFen));
  current = $state<MoveNode>(this.root);
  headers = $state.raw<Map<string, string>>(new Map());
  /** Counts changes to moves, comments and glyphs, so that others can follow them. */
  version = $state(0);

  constructor(fen: string = startFen, children: ReadNode[] = []) {
    this.reset(fen, children);
  }

  /** Begins anew, at the start of a game. */
  reset(
    fen: string,
    children: ReadNode[] = [],
    headers: Map<string, string> = new Map(),
    comments: string[] = [],
  ): void {
    const root = rootOf(fen);
    root.comments = comments;
    const open = [{ from: children, to: root }];
    for (let entry = open.pop(); entry; entry = open.pop()) {
      for (const child of entry.from) {
        const { children: after, ...move } = child;
        const node: MoveNode = { ...move, parent: entry.to, children: [] };
        entry.to.children.push(node);
        open.push({ from: after, to: node });
      }
    }
    this.root = adopt(root);
    this.headers = headers;
    this.current = this.root;
    this.version += 1;
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

  /** The main line of the game. */
  get main(): MoveNode[] {
    const line: MoveNode[] = [];
    for (let node = this.root.children[0]; node; node = node.children[0]) line.push(node);
    return line;
  }

  get onMain(): boolean {
    let node = this.current;
    for (; node.parent; node = node.parent) if (node.parent.children[0] !== node) return false;
    return true;
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

  /** Another move in place of the one that led here: the next or the one before among the variations. */
  sibling(step: number): void {
    const siblings = this.current.parent?.children ?? [];
    const next = siblings[siblings.indexOf(this.current) + step];
    if (next) this.current = next;
  }

  /** Plays a move from the node looked at: along the tree where it is known, else as a new variation. */
  play(uci: string): boolean {
    const written = write(this.current.fen, [uci])[0];
    if (!written) return false;
    // Castling has two names; the written move has one.
    const known = this.current.children.find((child) => child.san === written.san);
    if (known) {
      this.current = known;
      return true;
    }
    this.current.children.push({
      ...written,
      parent: this.current,
      children: [],
      nags: [],
      comments: [],
      before: [],
    });
    this.current = this.current.children.at(-1) ?? this.current;
    this.version += 1;
    return true;
  }

  /** Plays a line from the node looked at, and stays at its end. */
  playLine(ucis: string[]): void {
    for (const uci of ucis) if (!this.play(uci)) return;
  }

  /** Takes the node looked at, and what follows it, out of the tree. */
  cut(): void {
    const node = this.current;
    if (!node.parent) return;
    this.current = node.parent;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    this.version += 1;
  }

  /** Puts the variation looked at before its neighbours: one step towards the main line. */
  promote(): void {
    // The variation begins at the nearest ancestor that is not the first among its siblings.
    for (let node: MoveNode | undefined = this.current; node?.parent; node = node.parent) {
      const siblings = node.parent.children;
      const index = siblings.indexOf(node);
      if (index > 0) {
        const before = siblings[index - 1];
        if (before) siblings.splice(index - 1, 2, node, before);
        this.version += 1;
        return;
      }
    }
  }

  get prose(): string {
    return proseOf(this.current.comments);
  }

  comment(prose: string): void {
    this.current.comments = withProse(this.current.comments, prose);
    this.version += 1;
  }

  /** Sets the glyph that praises or blames the move, or takes it away; other glyphs stay. */
  glyph(mark: string | undefined): void {
    const others = this.current.nags.filter((nag) => !glyphs[nag]);
    const nag = mark === undefined ? undefined : nagOf(mark);
    this.current.nags = nag === undefined ? others : [nag, ...others];
    this.version += 1;
  }

  /** The glyph that is shown: the annotator's, or else the analysis's. */
  static markOf(node: MoveNode): string | undefined {
    return markOfNags(node.nags) ?? node.judged;
  }

  /** The whole tree as PGN. */
  pgn(): string {
    return writeGame({
      fen: this.root.fen,
      headers: this.headers,
      comments: this.root.comments,
      children: written(this.root),
    });
  }

  keep(): KeptTree {
    return {
      fen: this.root.fen,
      comments: [...this.root.comments],
      headers: [...this.headers],
      analysed: plain(this.root.analysed),
      children: kept(this.root),
      path: path(this.current).map((node) => node.parent?.children.indexOf(node) ?? 0),
    };
  }

  restore(tree: KeptTree): void {
    const root = rootOf(tree.fen);
    root.comments = tree.comments;
    root.analysed = tree.analysed;
    const open = [{ from: tree.children, to: root }];
    for (let entry = open.pop(); entry; entry = open.pop()) {
      for (const child of entry.from) {
        const move = write(entry.to.fen, [child.u])[0];
        if (!move) continue;
        const node: MoveNode = {
          ...move,
          parent: entry.to,
          children: [],
          nags: child.n ?? [],
          comments: child.c ?? [],
          before: child.b ?? [],
          score: child.s,
          analysed: child.a,
          judged: child.j,
          review: child.r,
        };
        entry.to.children.push(node);
        open.push({ from: child.k ?? [], to: node });
      }
    }
    this.root = adopt(root);
    this.headers = new Map(tree.headers);
    let node = this.root;
    for (const index of tree.path) node = node.children[index] ?? node;
    this.current = node;
    this.version += 1;
  }
}

function rootOf(fen: string): MoveNode {
  return {
    uci: '',
    san: '',
    fen,
    parent: undefined,
    children: [],
    nags: [],
    comments: [],
    before: [],
  };
}

/** A tree whose parents are the reactive nodes themselves, so that a node is the same seen from below and from above. */
function adopt(root: MoveNode): MoveNode {
  const reactive = $state(root);
  const open = [reactive];
  for (let node = open.pop(); node; node = open.pop()) {
    for (const child of node.children) {
      child.parent = node;
      open.push(child);
    }
  }
  return reactive;
}

function path(node: MoveNode): MoveNode[] {
  const line: MoveNode[] = [];
  for (let step = node; step.parent; step = step.parent) line.unshift(step);
  return line;
}

const plain = <Value>(value: Value): Value =>
  value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value);

function written(root: MoveNode): WrittenNode[] {
  const children: WrittenNode[] = [];
  const open = [{ from: root, to: children }];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    for (const node of entry.from.children) {
      const judged = node.judged && !markOfNags(node.nags) ? nagOf(node.judged) : undefined;
      const copy: WrittenNode = {
        san: node.san,
        nags: judged === undefined ? [...node.nags] : [judged, ...node.nags],
        comments: told(node),
        before: [...node.before],
        children: [],
      };
      entry.to.push(copy);
      open.push({ from: node, to: copy.children });
    }
  }
  return children;
}

/** The comments of a move as they are written to a file: a marked move without words of its own has the coach's. */
function told(node: MoveNode): string[] {
  const comments = withScore([...node.comments], node.analysed?.score);
  const reason = node.judged && proseOf(node.comments) === '' ? node.review?.text : undefined;
  return reason ? withProse(comments, reason) : comments;
}

function kept(root: MoveNode): KeptNode[] {
  const children: KeptNode[] = [];
  const open = [{ from: root, to: children }];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    for (const node of entry.from.children) {
      const copy: KeptNode = { u: node.uci };
      if (node.nags.length > 0) copy.n = [...node.nags];
      if (node.comments.length > 0) copy.c = [...node.comments];
      if (node.before.length > 0) copy.b = [...node.before];
      if (node.score) copy.s = plain(node.score);
      if (node.analysed) copy.a = plain(node.analysed);
      if (node.judged) copy.j = node.judged;
      if (node.review) copy.r = plain(node.review);
      entry.to.push(copy);
      if (node.children.length > 0) open.push({ from: node, to: (copy.k = []) });
    }
  }
  return children;
}
