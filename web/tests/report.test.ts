import { describe, expect, it } from 'vitest';
import { readReport } from '../src/notation/report';

describe('a report', () => {
  it('is read with its figures, and what is missing is said', () => {
    const report = readReport(
      JSON.stringify({
        planned: 3,
        records: [
          {
            seed: 'axon',
            step: 'draws',
            title: 'Draws',
            figures: [
              {
                what: 'rating',
                unit: 'Elo',
                seed: { text: 'about 1300' },
                ours: 1412.345,
                error: 20,
                ratio: 1.086,
                verdict: 'as-the-seed-says',
              },
              { what: 'curve', unit: '', verdict: 'not-measured' },
            ],
            notes: ['A note.'],
            pictures: [{ name: 'p', caption: 'c', svg: '<svg>#</svg>' }],
          },
        ],
      }),
    );
    const step = report?.steps[0];
    expect(step?.figures[0]).toEqual({
      what: 'rating',
      seed: 'about 1300',
      ours: '1,412 ± 20 Elo',
      ratio: '1.086',
      verdict: 'as the seed says',
      timed: false,
    });
    expect(step?.figures[1]).toMatchObject({ seed: '—', ours: '—', ratio: '—', verdict: 'not measured' });
    expect(step?.pictures[0]?.source).toBe('data:image/svg+xml,%3Csvg%3E%23%3C%2Fsvg%3E');
    expect(step?.notes).toEqual(['A note.']);
  });

  it('is nothing where it is none', () => {
    for (const text of ['', 'null', '3', '{}', '{"records":1}']) expect(readReport(text)).toBeUndefined();
  });
});
