import { expect, test } from './fixtures';
import { Laboratory } from './laboratory';

test('a newcomer plays, gives up, analyses, sees the first mistake, and shares the position', async ({
  page,
  table,
  browser,
  laboratory,
}) => {
  await page.goto(`${laboratory.url}/`);
  await page.getByText('Beginner', { exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(table.status).toContainText('Your move');
  // The worst opening there is, whatever the answer to it.
  await table.play('f2', 'f3', 'f3');
  await expect(table.moves.getByRole('button')).toHaveCount(2);
  await expect(table.status).toContainText('Your move');
  await table.play('g2', 'g4', 'g4');
  await expect(table.moves.getByRole('button').nth(3)).toBeVisible();
  if (await page.getByRole('button', { name: 'Resign' }).isVisible()) {
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Resign?' }).click();
  }
  await expect(table.status).toContainText('0-1');
  await page.getByRole('link', { name: 'Analyse', exact: true }).last().click();
  await expect(page.getByRole('heading', { name: /Human – Beginner \(600\) 0-1/ })).toBeVisible();
  await page.getByRole('button', { name: 'Analyse the game' }).click();
  const report = page.getByRole('tabpanel', { name: 'Game report' });
  await expect(report).toContainText('Accuracy', { timeout: 90_000 });
  await report.getByRole('button', { name: /^2\. g4\?/ }).click();
  await expect(table.square('g4')).toContainText('white pawn');
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.getByLabel('Link to this position').inputValue();
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(other.locator('[data-square="g4"]').first()).toContainText('white pawn');
  await expect(other.getByRole('group', { name: 'Moves', exact: true }).getByRole('button')).toHaveCount(3);
  await other.close();
});

test('a server that dies in the middle of an analysis costs nothing', async ({ page }) => {
  const laboratory = await Laboratory.open();
  try {
    await page.addInitScript(() => localStorage.setItem('tabia.engine', JSON.stringify({ on: false })));
    await page.goto(`${laboratory.url}/#/analyse?line=f2f3.e7e5.g2g4.d8h4`);
    await laboratory.stop('SIGKILL');
    await page.getByRole('button', { name: 'Analyse the game' }).click();
    const report = page.getByRole('tabpanel', { name: 'Game report' });
    await expect(report).toContainText('The server does not answer');
    await laboratory.start();
    await expect(report).toContainText('Accuracy', { timeout: 90_000 });
    await expect(report).toContainText(/2\. g4\?\?/);
  } finally {
    await laboratory.close();
  }
});

test('the page opens though the server is away, once it has been here', async ({ page }) => {
  const laboratory = await Laboratory.open();
  try {
    await page.goto(`${laboratory.url}/#/analyse`);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await expect.poll(() => page.evaluate(async () => (await caches.match('/')) !== undefined)).toBe(true);
    await laboratory.stop('SIGKILL');
    await page.reload();
    await expect(page.locator('cg-board piece')).toHaveCount(32);
    await expect(page.getByRole('region', { name: 'Engine' })).toContainText('The server does not answer');
    await laboratory.start();
    await expect(page.getByRole('region', { name: 'Engine' }).getByRole('listitem').first()).toContainText(
      '1.',
    );
  } finally {
    await laboratory.close();
  }
});
