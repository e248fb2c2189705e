import { describe, expect, test } from 'vitest';
import { startFen } from '../src/notation/line';
import { readGame } from '../src/notation/pgn';
import { MoveTree } from '../src/state/tree.svelte';

const line = readGame('1. e4 e5 2. Nf3').children;

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

  test('plays castling by either of its names as one move', () => {
    const tree = new MoveTree('r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1');
    tree.play('e1g1');
    tree.go(0);
    tree.play('e1h1');
    expect(tree.root.children.map((move) => move.san)).toEqual(['O-O']);
  });

  test('lets a variation become the main line, from anywhere in it', () => {
    const tree = new MoveTree(startFen, readGame('1. e4 (1. d4 d5 2. c4) (1. c4) e5').children);
    tree.select(tree.root.children[2] ?? tree.root);
    tree.promote();
    expect(tree.root.children.map((move) => move.san)).toEqual(['e4', 'c4', 'd4']);
    tree.select(tree.root.children[2]?.children[0] ?? tree.root);
    tree.promote();
    tree.promote();
    expect(tree.root.children.map((move) => move.san)).toEqual(['d4', 'e4', 'c4']);
    expect(tree.onMain).toBe(true);
    tree.promote();
    expect(tree.root.children.map((move) => move.san)).toEqual(['d4', 'e4', 'c4']);
  });

  test('takes comments and glyphs, and keeps the commands in a comment', () => {
    const tree = new MoveTree(startFen, readGame('1. e4 $10 {[%clk 0:01:00] best by test}').children);
    tree.go(1);
    expect(tree.prose).toBe('best by test');
    tree.comment('played at once');
    tree.glyph('!');
    expect(tree.current.comments).toEqual(['[%clk 0:01:00] played at once']);
    expect(tree.current.nags).toEqual([1, 10]);
    tree.glyph(undefined);
    expect(tree.current.nags).toEqual([10]);
  });

  test('is kept and restored whole, with the node looked at', () => {
    const pgn = '1. e4 {why} e5 (1... c5 $6 2. Nf3 (2. c3 d5) d6) 2. Nf3 *';
    const tree = new MoveTree(startFen, readGame(pgn).children);
    tree.root.analysed = { score: { cp: 20 }, best: ['e2e4'] };
    tree.select(tree.root.children[0]?.children[1]?.children[1] ?? tree.root);
    const other = new MoveTree();
    other.restore(JSON.parse(JSON.stringify(tree.keep())));
    expect(other.pgn()).toBe(tree.pgn());
    expect(other.current.san).toBe('c3');
    expect(other.current.parent?.san).toBe('c5');
    expect(other.root.analysed?.score).toEqual({ cp: 20 });
  });
});
