import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixtures';
import type { Laboratory } from './laboratory';

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>';

/** A run as a command leaves it: a directory of plain files. */
function run(laboratory: Laboratory, name: string, kind: string, files: Record<string, string>): string {
  const folder = join(laboratory.data, 'runs', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'manifest.toml'),
    `format = 1\nversion = "0.1.0"\nkind = "${kind}"\n[settings]\nseed = 7\n`,
  );
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

test('an evolution is watched: its curves grow while it runs', async ({ page, laboratory, complaints }) => {
  const folder = run(laboratory, 'evolution', 'evolve', { 'metrics.jsonl': '{"generation":1,"best":0.5}\n' });
  await page.goto(`${laboratory.url}/#/lab/evolution`);
  await expect(page.getByRole('img', { name: 'best by generation' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'diversity by generation' })).toHaveCount(0);
  appendFileSync(join(folder, 'metrics.jsonl'), '{"generation":2,"best":0.7,"diversity":3}\n');
  await expect(page.getByRole('img', { name: 'diversity by generation' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Settings' })).toContainText('seed');
  await expect(page.getByRole('region', { name: 'Files' })).toContainText('metrics.jsonl');
  writeFileSync(join(folder, 'fitness.svg'), picture);
  for (const number of [1, 2, 3, 4]) writeFileSync(join(folder, `champion-000${number}.json`), '{}');
  writeFileSync(join(folder, 'result.json'), '{"best":0.7}');
  await expect(page.getByRole('region', { name: 'Run evolution' })).toContainText('finished');
  await expect(
    page.getByRole('region', { name: 'Pictures' }).getByRole('img', { name: 'fitness' }),
  ).toBeVisible();
  const champions = page
    .getByRole('region', { name: 'Files' })
    .getByText('champion-0001.json … champion-0004.json');
  await expect(page.getByRole('link', { name: 'champion-0003.json' })).toBeHidden();
  await champions.click();
  await expect(page.getByRole('link', { name: 'champion-0003.json' })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a match shows its score, its games, and a game can be reviewed', async ({
  page,
  table,
  laboratory,
}) => {
  const games = [
    '{"game":1,"white":"a","black":"b","result":"1-0","reason":"checkmate","opening":0,"moves":"e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7"}',
    '{"game":2,"white":"b","black":"a","result":"1/2-1/2","reason":"agreement","opening":0,"moves":"e2e4"}',
  ];
  const result = {
    agents: ['a', 'b'],
    games: 2,
    wins: 1,
    draws: 1,
    losses: 0,
    elo: 190.8,
    elo_error_95: 200,
    los: 0.9,
  };
  run(laboratory, 'small-match', 'match', {
    'games.jsonl': `${games.join('\n')}\n`,
    'result.json': JSON.stringify(result),
  });
  await page.goto(`${laboratory.url}/#/arena/small-match`);
  await expect(page.getByRole('region', { name: 'Run small-match' })).toContainText('190.8 ± 200.0');
  await expect(page.getByRole('region', { name: 'Standings' })).toContainText('1.5');
  await page.getByRole('region', { name: 'Games' }).getByRole('button').last().click();
  await expect(table.square('f7')).toContainText('white queen');
  await page.getByRole('figure').getByRole('link', { name: 'Analyse' }).click();
  await expect(page.getByRole('heading', { name: /a – b 1-0/ })).toBeVisible();
});

for (const [language, ends] of [
  [
    'en',
    [
      /a – b, 1-0 · White wins by checkmate\./,
      /b – a, ½-½ · Draw by agreement\./,
      /a – b, 0-1 · Black wins on time: 31 ms over its time\./,
    ],
  ],
  [
    'de',
    [
      /a – b, 1-0 · Weiß gewinnt durch Schachmatt\./,
      /b – a, ½-½ · Remis durch Vereinbarung\./,
      /a – b, 0-1 · Schwarz gewinnt durch Zeitüberschreitung: 31 ms over its time\./,
    ],
  ],
] as const) {
  test(`how a game of a match ended is told in the language of the page, ${language}`, async ({
    page,
    laboratory,
    complaints,
  }) => {
    await page.addInitScript(
      (kept) => localStorage.setItem('tabia.settings', kept),
      JSON.stringify({ language }),
    );
    const games = [
      '{"game":0,"white":"a","black":"b","result":"1-0","reason":"checkmate","opening":0,"moves":"e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7"}',
      '{"game":1,"white":"b","black":"a","result":"1/2-1/2","reason":"agreement","opening":0,"moves":"e2e4"}',
      '{"game":2,"white":"a","black":"b","result":"0-1","reason":"time forfeit","detail":"31 ms over its time","opening":1,"moves":"e2e4"}',
    ];
    run(laboratory, `ends-${language}`, 'match', { 'games.jsonl': `${games.join('\n')}\n` });
    await page.goto(`${laboratory.url}/#/arena/ends-${language}`);
    for (const [index, end] of ends.entries()) {
      // The latest game is on top.
      await page
        .locator('.games ol button')
        .nth(ends.length - 1 - index)
        .click();
      await expect(page.locator('.games figcaption')).toHaveText(end);
    }
    expect(complaints).toEqual([]);
  });
}

/** The result of a match in which the first player made as many points against each of the others. */
function result(names: string[], ratings: number[]): string {
  return JSON.stringify({
    agents: names,
    games: 10,
    wins: 6,
    draws: 2,
    losses: 2,
    elo: 147.2,
    elo_error_95: 120,
    los: 0.95,
    players: names.map((name) => ({ name, spec: name, limit: 'depth=2', games: 10, points: 5 })),
    ratings: {
      players: ratings.map((elo, player) => ({ player, elo, elo_error_95: 60, games: 10, points: 5 })),
    },
  });
}

test('a match between two tells one Elo, a tournament says what its ratings are', async ({
  page,
  laboratory,
  complaints,
}) => {
  run(laboratory, 'two', 'match', { 'result.json': result(['a', 'b'], [74, -74]) });
  run(laboratory, 'three', 'match', { 'result.json': result(['a', 'b', 'c'], [90, -30, -60]) });
  await page.goto(`${laboratory.url}/#/arena/two`);
  await expect(page.getByRole('region', { name: 'Run two' })).toContainText('+147.2 ± 120.0');
  await expect(page.getByRole('table', { name: 'Ratings' })).toHaveCount(0);
  await page.goto(`${laboratory.url}/#/arena/three`);
  await expect(page.getByRole('region', { name: 'Run three' })).toContainText('+147.2 ± 120.0');
  await expect(page.getByRole('table', { name: 'Ratings' })).toContainText('90 ± 60');
  await expect(page.getByRole('region', { name: 'Standings' })).toContainText(
    'their mean is 0. The Elo above is the lead of a over its opponents, from its score alone.',
  );
  expect(complaints).toEqual([]);
});

test('a reproduction shows its figures and pictures', async ({ page, laboratory, complaints }) => {
  const report = {
    version: '0.1.0',
    machine: '2 cores',
    planned: 2,
    records: [
      {
        seed: 'alphabeta',
        step: 'scaling',
        title: 'How the search grows with depth',
        section: '§8.4',
        how: 'Counted by `tabia bench`.',
        figures: [
          {
            what: 'depth 3: nodes of a move',
            unit: '',
            seed: { text: 'about 35,000', low: 35000, high: 35000 },
            ours: 3118,
            ratio: 0.0891,
            verdict: 'better',
          },
          { what: 'time', unit: 's', ours: 0.5, verdict: 'the-seed-gives-none', timed: true },
        ],
        pictures: [
          {
            name: 'curve',
            caption: 'Nodes of a move',
            svg: picture,
          },
        ],
        seconds: 1,
      },
    ],
  };
  run(laboratory, 'reproduction', 'reproduce', { 'report.json': JSON.stringify(report) });
  await page.goto(`${laboratory.url}/#/lab/reproduction`);
  const step = page.getByRole('region', { name: 'alphabeta: How the search grows with depth' });
  await expect(step.getByRole('row', { name: /depth 3/ })).toContainText('about 35,0003,1180.0891better');
  await expect(step.getByRole('row', { name: /time †/ })).toContainText('—0.5 s—the seed gives none');
  await expect(step.locator('code')).toHaveText('tabia bench');
  await expect(step.getByRole('img', { name: 'Nodes of a move' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Report' })).toContainText('1 of 2 steps');
  expect(complaints).toEqual([]);
});
