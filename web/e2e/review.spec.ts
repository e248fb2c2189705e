import { expect, test } from './fixtures';

const pgn = '[White "Ada"]\n[Black "Babbage"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0';

test('a pasted game is stepped through, analysed and drawn as a curve', async ({
  page,
  table,
  laboratory,
}) => {
  await page.goto(`${laboratory.url}/#/review`);
  await page.getByLabel('PGN or replay').fill(pgn);
  await page.getByRole('button', { name: 'Load' }).click();
  await expect(page.getByRole('heading', { name: /Ada – Babbage 1-0/ })).toBeVisible();
  await page.keyboard.press('End');
  await expect(table.square('f7')).toContainText('white queen');
  await page.getByRole('button', { name: 'Analyse the game' }).click();
  await expect(page.getByRole('button', { name: 'Analyse again' })).toBeVisible();
  await expect(page.getByRole('img', { name: /winning chances/ }).locator('canvas')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Moves', exact: true })).toContainText('Nf6??');
});

test('the field changes from move to move', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/#/review`);
  await page.getByLabel('PGN or replay').fill(pgn);
  await page.getByRole('button', { name: 'Load' }).click();
  await page.getByRole('group', { name: 'Field' }).getByRole('button', { name: 'control' }).click();
  const heat = page.locator('.ground .heat').nth(60);
  await expect(heat).toBeVisible();
  const colors = page.locator('.ground');
  const before = await colors.innerHTML();
  await page.getByRole('button', { name: 'Move on' }).click();
  await expect.poll(() => colors.innerHTML()).not.toBe(before);
});

test('a game plays itself', async ({ page, table, laboratory }) => {
  await page.goto(`${laboratory.url}/#/review`);
  await page.getByLabel('PGN or replay').fill(pgn);
  await page.getByRole('button', { name: 'Load' }).click();
  await page.getByLabel('every').selectOption('0.3');
  await page.getByRole('button', { name: 'Play back' }).click();
  await expect(table.square('f7')).toContainText('white queen');
  await expect(page.getByRole('button', { name: 'Play back' })).toBeVisible();
});
