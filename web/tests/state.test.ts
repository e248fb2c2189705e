import { describe, expect, test } from 'vitest';
import { href, parse, redirect } from '../src/state/route.svelte';
import { readSpec, writeSpec } from '../src/state/spec';

describe('an address', () => {
  test('says page, thing and query', () => {
    const route = parse('#/analyse?fen=8%2F8+w');
    expect(route.page).toBe('analyse');
    expect(route.id).toBeUndefined();
    expect(route.query.get('fen')).toBe('8/8 w');
    expect(parse('#/play/abc').id).toBe('abc');
  });

  test('of a page that has moved leads to where it is now', () => {
    expect(parse('#/see?fen=x').page).toBe('analyse');
    expect(redirect('#/see?fen=x')).toBe('#/analyse?fen=x');
    expect(redirect('#/review/abc')).toBe('#/analyse/abc');
    expect(redirect('#/play/abc')).toBeUndefined();
  });

  test('that is not well encoded is read as it stands', () => {
    expect(parse('#/play/%E0%A4%A')).toMatchObject({ page: 'play', id: '%E0%A4%A' });
  });

  test('that is unknown is the first page', () => {
    expect(parse('#/nowhere').page).toBe('play');
    expect(parse('').page).toBe('play');
  });

  test('reads back as it was written', () => {
    const route = parse(href('analyse', 'a/b', { ply: '3' }));
    expect(route).toMatchObject({ page: 'analyse', id: 'a/b' });
    expect(route.query.get('ply')).toBe('3');
  });
});

describe('an agent spec', () => {
  test.each(['random', 'engine(elo=1200)', 'axiomx(multiscale=3,5,7,9,guided=on)', 'a(opponent=b(x=1,y=2))'])(
    '%s reads back as it was written',
    (text) => {
      expect(writeSpec(readSpec(text))).toBe(text);
    },
  );

  test('leaves out what is not given', () => {
    expect(writeSpec({ name: 'engine', options: { elo: '', depth: ' 4 ' } })).toBe('engine(depth=4)');
  });
});
