import { expect, test } from './fixtures';

const file = [
  'PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags',
  'one,7k/5ppp/8/8/1p6/8/8/R5K1 b - - 0 1,b4b3 a1a8,900,80,90,1,mate mateIn1 backRankMate,x,',
  'two,nonsense,e2e4 e7e5,1000,80,90,1,fork,x,',
  'three,4k3/8/8/3q4/8/2N5/8/R3K3 b Q - 0 1,d5d4 a1d1 d4c3,1700,80,90,1,short,x,',
].join('\n');

test('puzzles come from a file, and outlive a reload', async ({ page, table, laboratory, complaints }) => {
  await page.goto(`${laboratory.url}/#/practise`);
  await expect(page.getByText('Analyse a game: the mistakes in it become exercises here.')).toBeVisible();
  await page.getByLabel('A file of puzzles').setInputFiles({
    name: 'puzzles.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(file),
  });
  await expect(page.getByRole('alert')).toContainText('Line 3: "nonsense" is not a FEN.');
  await expect(page.getByText('2 puzzles, 0 solved.')).toBeVisible();
  await page.reload();
  await page.getByRole('region', { name: 'Puzzles' }).getByRole('link', { name: 'Begin' }).click();
  await expect(page.getByText('Find the best move for White.')).toBeVisible();
  await table.click('g1');
  await table.click('f1');
  await expect(page.getByText('Kf1 is not it. Try again.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.getByText(/Look for: .*back-rank mate/)).toBeVisible();
  await table.click('a1');
  await table.click('a8');
  await expect(page.getByText('Right!').first()).toBeVisible();
  await expect(page.getByText('2. Ra8#')).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(table.square('d4')).toContainText('black queen');
  await page.getByRole('button', { name: 'Show the solution' }).click();
  await expect(page.getByText('This was the solution.')).toBeVisible();
  await page.getByLabel('Level').selectOption('up to 1199');
  await expect(page.getByText('Every puzzle of this kind is solved.')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('what is no file of puzzles is told', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/#/practise`);
  await page.getByLabel('A file of puzzles').setInputFiles({
    name: 'poem.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('roses are red\nviolets are blue'),
  });
  await expect(page.getByRole('alert')).toContainText('There is no puzzle in this file. Line 1');
});
