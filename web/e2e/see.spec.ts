import { expect, test } from './fixtures';

test('a field is laid over the board and taken off', async ({ page, laboratory, complaints }) => {
  await page.goto(`${laboratory.url}/#/see`);
  const fields = page.getByRole('group', { name: 'Field' });
  await fields.getByRole('button', { name: 'white attack' }).click();
  await expect(page.locator('.ground').first()).toHaveAttribute('data-field', 'white attack');
  await expect(page.locator('.ground .heat').first()).toBeVisible();
  await expect(page.getByRole('img', { name: /orange is White's/ })).toBeVisible();
  await fields.getByRole('button', { name: 'none' }).click();
  await expect(page.locator('.ground .heat')).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test('pointing at a square says what makes its number', async ({ page, table, laboratory }) => {
  await page.goto(`${laboratory.url}/#/see`);
  await page.getByRole('button', { name: 'white attack' }).click();
  const { x, y } = await table.point('f3');
  await page.mouse.move(x, y);
  await expect(page.getByRole('region', { name: 'Fields' })).toContainText('white knight');
});

test('an evaluation is told in terms and in words', async ({ page, laboratory }) => {
  await page.goto(
    `${laboratory.url}/#/see?fen=${encodeURIComponent('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1')}`,
  );
  const panel = page.getByRole('region', { name: 'EVALUATION' });
  await expect(panel).toContainText('material');
  await expect(panel).toContainText('Black is');
});

test('moves on the board are legal ones, and variations are kept', async ({ page, table, laboratory }) => {
  await page.goto(`${laboratory.url}/#/see`);
  await expect(table.square('e2')).toContainText('white pawn');
  await table.click('e2');
  await expect(page.locator('cg-board square.move-dest')).toHaveCount(2);
  await table.click('e4');
  const moves = page.getByRole('group', { name: 'Moves', exact: true });
  await expect(moves.getByRole('button', { name: 'e4' })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await table.click('d2');
  await table.click('d4');
  await expect(moves).toContainText('(1.d4');
});

test('the engine shows its lines, with arrows', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/#/see`);
  const engine = page.getByRole('region', { name: 'Engine' });
  await engine.getByRole('button', { name: 'off' }).click();
  await expect(engine.getByRole('listitem')).toHaveCount(3);
  await expect(page.locator('.cg-shapes g line')).toHaveCount(3);
  await engine.getByRole('button', { name: 'on', exact: true }).click();
  await expect(page.locator('.cg-shapes g line')).toHaveCount(0);
});

test('two evaluations stand side by side', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/#/see`);
  await page.getByRole('button', { name: 'Compare two' }).click();
  await expect(page.locator('cg-board')).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'BESIDE IT' })).toContainText('Sum');
});
