import { describe, expect, test } from 'vitest';
import { startFen, write } from '../src/notation/line';
import { MoveTree } from '../src/state/tree.svelte';

const line = write(startFen, ['e2e4', 'e7e5', 'g1f3']);

describe('a tree of moves', () => {
  test('is gone through along its main line, and stays at its ends', () => {
    const tree = new MoveTree(startFen, line);
    expect(tree.ply).toBe(0);
    tree.go(2);
    expect(tree.current.san).toBe('e5');
    tree.go(99);
    expect(tree.current.san).toBe('Nf3');
    tree.go(-1);
    expect(tree.fen).toBe(startFen);
  });

  test('takes another move as a variation and keeps the main line', () => {
    const tree = new MoveTree(startFen, line);
    tree.go(1);
    expect(tree.play('c7c5')).toBe(true);
    expect(tree.moves.map((move) => move.san)).toEqual(['e4', 'c5']);
    tree.go(1);
    expect(tree.moves.map((move) => move.san)).toEqual(['e4', 'e5', 'Nf3']);
    expect(tree.current.children.map((move) => move.san)).toEqual(['e5', 'c5']);
  });

  test('follows a move it knows instead of adding it again', () => {
    const tree = new MoveTree(startFen, line);
    tree.play('e2e4');
    expect(tree.root.children).toHaveLength(1);
    expect(tree.ply).toBe(1);
  });

  test('refuses what cannot be played', () => {
    const tree = new MoveTree();
    expect(tree.play('e2e5')).toBe(false);
    expect(tree.ply).toBe(0);
  });

  test('is cut where one stands', () => {
    const tree = new MoveTree(startFen, line);
    tree.go(2);
    tree.cut();
    expect(tree.moves.map((move) => move.san)).toEqual(['e4']);
    expect(tree.current.san).toBe('e4');
  });
});
