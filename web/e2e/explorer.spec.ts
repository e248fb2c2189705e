import { writeFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures';

const game = (white: string, result: string, text: string): string =>
  `[Event "Club"]\n[White "${white}"]\n[Black "Other"]\n[Result "${result}"]\n[WhiteElo "1800"]\n[Date "2021.01.02"]\n\n${text} ${result}\n`;

test('the explorer shows what was played, and opens the games', async ({ page, openLaboratory }, info) => {
  const file = info.outputPath('games.pgn');
  writeFileSync(
    file,
    [
      game('Ada', '1-0', '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6'),
      game('Curie', '1/2-1/2', '1. e4 c5 2. Nf3 d6'),
      game('Euler', '0-1', '1. d4 Ke4'),
    ].join('\n'),
  );
  const laboratory = await openLaboratory(['--games', file]);
  await page.goto(`${laboratory.url}/#/analyse`);
  await page.getByRole('tab', { name: 'Explorer' }).click();
  const explorer = page.getByRole('tabpanel', { name: 'Explorer' });
  await expect(explorer).toContainText('2 games of games.pgn');
  await expect(explorer).toContainText('1 game could not be read and is left out');
  await expect(explorer).toContainText('games.pgn, line ');
  await expect(explorer.getByRole('row', { name: /e4/ })).toContainText('2');
  await explorer.getByRole('button', { name: 'e4' }).click();
  await expect(explorer).toContainText("King's Pawn");
  await explorer.getByRole('button', { name: 'e5' }).click();
  await expect(explorer.getByRole('link')).toHaveCount(1);
  // The server goes and comes back; what it had read it has.
  await laboratory.stop('SIGKILL');
  await page.getByRole('button', { name: 'Previous move' }).click();
  await expect(explorer).toContainText('does not answer');
  await laboratory.start();
  await page.getByRole('button', { name: 'Next move' }).click();
  await explorer.getByRole('link', { name: /Ada \(1800\) – Other/ }).click();
  await expect(page.getByRole('heading', { name: 'Ada – Other 1-0' })).toBeVisible();
  const moves = page.getByRole('group', { name: 'Moves', exact: true });
  await expect(moves.getByRole('button')).toHaveCount(6);
  await expect(moves.getByRole('button', { name: 'e5' })).toHaveAttribute('aria-current', 'step');
});

test('the explorer counts the games that pass its filters', async ({
  page,
  openLaboratory,
  complaints,
}, info) => {
  const played = (
    white: string,
    black: string,
    elo: number,
    date: string,
    result: string,
    text: string,
  ): string =>
    `[White "${white}"]\n[Black "${black}"]\n[Result "${result}"]\n[WhiteElo "${elo}"]\n[BlackElo "${elo}"]\n[Date "${date}"]\n\n${text} ${result}\n`;
  const file = info.outputPath('games.pgn');
  writeFileSync(
    file,
    [
      played('Carlsen,M', 'Anand,V', 2850, '2014.11.08', '1-0', '1. e4 e5'),
      played('Anand,V', 'Carlsen,M', 2840, '2013.11.09', '1/2-1/2', '1. d4 d5'),
      played('Somebody', 'Nobody', 1500, '2020.02.29', '0-1', '1. e4 c5'),
    ].join('\n'),
  );
  const laboratory = await openLaboratory(['--games', file]);
  await page.goto(`${laboratory.url}/#/analyse`);
  await page.getByRole('tab', { name: 'Explorer' }).click();
  const explorer = page.getByRole('tabpanel', { name: 'Explorer' });
  const all = explorer.getByRole('row', { name: /^All/ });
  await expect(all).toContainText('3');
  await explorer.getByRole('button', { name: 'Filter games' }).click();
  const enter = async (label: string, value: string): Promise<void> => {
    await explorer.getByLabel(label, { exact: true }).fill(value);
    await explorer.getByLabel(label, { exact: true }).press('Enter');
  };
  await enter('Lowest average rating', '2500');
  await expect(all).toContainText('2');
  await expect(explorer).toContainText('from 2500');
  await enter('Last year', '2013');
  await expect(all).toContainText('1');
  await expect(explorer.getByRole('row', { name: /^d4/ })).toBeVisible();
  await expect(explorer.getByRole('row', { name: /^e4/ })).toHaveCount(0);
  await explorer.getByRole('button', { name: 'Clear filters' }).click();
  await expect(all).toContainText('3');

  await enter('Player', 'carl');
  await expect(all).toContainText('2');
  await explorer.getByLabel('Colour of the player').selectOption('White');
  await expect(all).toContainText('1');
  await expect(explorer).toContainText('carl as White');
  await explorer.getByLabel('Result', { exact: true }).selectOption('Draw');
  await expect(explorer).toContainText('No game that passes the filters reached this position.');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  // Without the player his colour says nothing.
  await enter('Player', '');
  await expect(all).toContainText('1');
  await expect(explorer.getByRole('row', { name: /^d4/ })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('without a collection the explorer names the opening, and says how to have one', async ({
  page,
  laboratory,
}) => {
  await page.goto(`${laboratory.url}/#/analyse?line=e2e4.c7c5`);
  await page.getByRole('tab', { name: 'Explorer' }).click();
  const explorer = page.getByRole('tabpanel', { name: 'Explorer' });
  await expect(explorer).toContainText('Sicilian');
  await expect(explorer).toContainText('tabia serve --games FILE.pgn');
});

test("a watcher's link shows the game and gives no right to move", async ({ page, table, browser }) => {
  await table.sit();
  const response = await page.request.post(page.url().replace(/\/#\/play\/(\w+)/, '/api/v1/games/$1/watch'), {
    data: {},
  });
  const { watch } = (await response.json()) as { watch: string };
  const other = await (await browser.newContext()).newPage();
  await other.goto(`${table.laboratory.url}/#/play/${watch}?watch=1`);
  await expect(other.getByText('You are watching this game.')).toBeVisible();
  await table.play('e2', 'e4', 'e4');
  await expect(other.getByRole('list', { name: 'Moves' })).toContainText('e4');
  await expect(other.getByRole('textbox', { name: 'Move' })).toHaveCount(0);
  await expect(other.getByRole('button', { name: 'Resign' })).toHaveCount(0);
  await other.locator('[data-square="e7"]').first().click({ force: true });
  await expect(other.locator('cg-board square.move-dest')).toHaveCount(0);
  await other.getByRole('link', { name: 'Analyse', exact: true }).last().click();
  await expect(other.getByRole('group', { name: 'Moves', exact: true })).toContainText('e4');
  await other.close();
});
