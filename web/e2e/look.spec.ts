import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures';

const pages = ['play', 'see', 'review', 'arena', 'lab'] as const;
const themes = ['terminal', 'paper'] as const;

async function background(page: import('@playwright/test').Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
}

test('the look is the terminal, changes to paper, and is remembered', async ({ table, page }) => {
  await table.sit();
  expect(await background(page)).toBe('rgb(0, 0, 0)');
  const square = page.locator('.ground .square').first();
  await expect(square).toHaveCSS('background-color', 'rgb(51, 51, 51)');
  await page.getByRole('button', { name: /^Look/ }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'paper');
  expect(await background(page)).not.toBe('rgb(0, 0, 0)');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'paper');
});

for (const theme of themes) {
  for (const name of pages) {
    test(`${name} in ${theme} has nothing that shuts people out`, async ({
      page,
      laboratory,
      complaints,
    }) => {
      await page.addInitScript(
        (look) => localStorage.setItem('tabia.settings', JSON.stringify({ theme: look })),
        theme,
      );
      await page.goto(`${laboratory.url}/#/${name}`);
      await page.waitForLoadState('networkidle');
      const { violations } = await new AxeBuilder({ page }).analyze();
      const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`)).toEqual(
        [],
      );
      expect(complaints).toEqual([]);
    });
  }

  test(`a game in ${theme} has nothing that shuts people out`, async ({ page, table }) => {
    await page.addInitScript(
      (look) => localStorage.setItem('tabia.settings', JSON.stringify({ theme: look })),
      theme,
    );
    await table.sit({ black: 'random(seed=2)' });
    await table.play('e2', 'e4', 'e4');
    await expect(table.moves.getByRole('button')).toHaveCount(2);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`)).toEqual([]);
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  for (const name of pages) {
    test(`${name} fits the width`, async ({ page, laboratory, complaints }) => {
      await page.goto(`${laboratory.url}/#/${name}`);
      await page.waitForLoadState('networkidle');
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(excess).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
    });
  }

  test('a game by taps, on a board as wide as the screen', async ({ page, table }) => {
    await table.sit();
    const box = await page.locator('cg-board').boundingBox();
    expect(box?.width ?? 0).toBeGreaterThan(340);
    for (const [from, to, san] of [
      ['e2', 'e4', 'e4'],
      ['e7', 'e5', 'e5'],
    ] as const) {
      for (const square of [from, to]) {
        const { x, y } = await table.point(square);
        await page.touchscreen.tap(x, y);
      }
      await expect(table.moves.getByRole('button', { name: san, exact: true })).toBeVisible();
    }
  });

  test('a long list of moves stays in its place', async ({ page, table, laboratory }) => {
    const moves = 'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5 d4 Qc7'.split(' ');
    const response = await page.request.post(`${laboratory.url}/api/v1/games`, {
      data: { white: 'human', black: 'human', moves },
    });
    const { id } = (await response.json()) as { id: string };
    await page.goto(`${laboratory.url}/#/play/${id}`);
    await expect(table.moves.getByRole('button', { name: 'Qc7' })).toBeInViewport();
    const list = await table.moves.boundingBox();
    const steps = await page.getByRole('group', { name: 'Go through the moves' }).boundingBox();
    expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(steps?.y ?? 0);
  });
});
