import { expect, test } from './fixtures';

/** Walks over the board with the arrows from where the focus is. */
async function walk(
  table: { page: import('@playwright/test').Page },
  from: string,
  to: string,
): Promise<void> {
  const files = to.charCodeAt(0) - from.charCodeAt(0);
  const ranks = Number(to[1]) - Number(from[1]);
  for (let step = 0; step < Math.abs(files); step += 1) {
    await table.page.keyboard.press(files > 0 ? 'ArrowRight' : 'ArrowLeft');
  }
  for (let step = 0; step < Math.abs(ranks); step += 1) {
    await table.page.keyboard.press(ranks > 0 ? 'ArrowUp' : 'ArrowDown');
  }
  await expect(table.page.locator(`[data-square="${to}"]`)).toBeFocused();
}

test("the fool's mate without a mouse, over the squares", async ({ table, page }) => {
  await table.sit();
  while (!(await page.evaluate(() => document.activeElement?.getAttribute('role') === 'gridcell'))) {
    await page.keyboard.press('Tab');
  }
  let at = 'e2';
  for (const [from, to] of [
    ['f2', 'f3'],
    ['e7', 'e5'],
    ['g2', 'g4'],
    ['d8', 'h4'],
  ] as const) {
    // A move is seen before the server has it, and the other side's pieces can be taken up when it has.
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
    await walk(table, at, from);
    await page.keyboard.press('Enter');
    await walk(table, from, to);
    await page.keyboard.press('Enter');
    await expect(table.square(from)).toContainText('empty');
    at = to;
  }
  await expect(table.status).toContainText('Black wins by checkmate');
});

test('moves typed as text, against an agent, and heard', async ({ table, page }) => {
  await table.sit({ black: 'random(seed=1)' });
  const entry = page.getByRole('textbox', { name: 'Move' });
  await entry.focus();
  await page.keyboard.type('e4\n');
  await expect(table.moves.getByRole('button')).toHaveCount(2);
  await expect(page.getByRole('status')).toContainText(/black/i);
  await expect(table.status).toContainText('Your move');
  await expect(entry).toBeFocused();
  await page.keyboard.type('Ke9\n');
  await expect(page.locator('#san-fault')).toContainText('is not one of the');
});

test('a promotion is answered by its letter', async ({ table, page }) => {
  await table.sit({ fen: '8/P6k/8/8/8/8/7K/8 w - - 0 1' });
  await page.locator('[data-square="a7"]').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('n');
  await expect(table.moves.getByRole('button', { name: 'a8=N' })).toBeVisible();
});
