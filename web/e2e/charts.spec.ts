/** Charts of the Lab are drawn in the colours of the theme: curves by the page, pictures by the commands that make runs. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { colors, contrast, legibility, rgb, type Part, type Rgb } from './colours';
import { expect, test } from './fixtures';
import { binary, type Laboratory } from './laboratory';

// Letters of a picture are small.
test.use({ deviceScaleFactor: 2 });

/** A picture with dark colours of its own, as those of match reports have. */
const twofold = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200" viewBox="0 0 600 200">
<style>
rect { fill: #ffffff } text { fill: #23252b; font-size: 32px } path { stroke: #2f6fc4; stroke-width: 4 }
@media (prefers-color-scheme: dark) { rect { fill: #17191d } text { fill: #e6e8ec } path { stroke: #6ba3ee } }
</style>
<rect width="600" height="200"/><text x="4" y="60">10</text><text x="300" y="190">games</text>
<path d="M120 60 H500"/>
</svg>`;

/** A small evolution with all its pictures. */
function evolve(laboratory: Laboratory, name: string): void {
  const folder = join(laboratory.data, 'runs', name);
  const small = '--population 4 --generations 4 --fitness positions --sample 4'.split(' ');
  const made = spawnSync(binary(), ['evolve', ...small, '--run', folder], { encoding: 'utf8' });
  expect(made.status, made.stderr).toBe(0);
  writeFileSync(join(folder, 'twofold.svg'), twofold);
}

async function choose(page: Page, theme: string): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: 'Theme', exact: true }).selectOption(theme);
  await page.getByRole('button', { name: 'Close' }).click();
}

/** What a variable of the theme says. */
async function themed(page: Page, name: string): Promise<Rgb> {
  return rgb(
    await page.evaluate((name) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = `var(${name})`;
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    }, name),
  );
}

/** Where a chart has the numbers of its axis, what is named below, and its lines. */
interface Parts {
  axis: Part;
  below: Part;
  lines: Part;
}

async function check(chart: Locator, { axis, below, lines }: Parts): Promise<void> {
  const [ground = rgb('')] = await colors(chart);
  const panel = await themed(chart.page(), '--panel');
  expect(contrast(ground, panel), 'ground beside the panel').toBeLessThan(1.4);
  expect(await legibility(chart, axis), 'numbers of the axis').toBeGreaterThan(4.5);
  expect(await legibility(chart, below), 'what is named below').toBeGreaterThan(4.5);
  expect(await legibility(chart, lines), 'lines').toBeGreaterThan(3);
}

async function checkAll(page: Page): Promise<void> {
  const chart = (name: string): Locator => page.getByRole('img', { name, exact: true });
  const lines = { left: 0.25, right: 0.95, top: 0.1, bottom: 0.65 };
  // What was chosen is drawn with the next frame.
  await expect(async () => {
    const curve = chart('diversity by generation');
    await check(curve, { axis: { right: 0.1, bottom: 0.7 }, below: { top: 0.86 }, lines });
    // Lines of the grid are not what is looked for.
    expect(await colors(curve, lines)).toContainEqual(await themed(page, '--accent'));
    await check(chart('diversity'), {
      axis: { right: 0.085, top: 0.2, bottom: 0.85 },
      below: { top: 0.88 },
      lines,
    });
    await check(chart('twofold'), { axis: { right: 0.1, bottom: 0.5 }, below: { top: 0.75 }, lines });
  }).toPass({ timeout: 90_000 });
}

for (const [theme, before] of [
  ['light', 'terminal'],
  ['dark', 'light'],
  ['terminal', 'light'],
] as const) {
  test(`charts of the Lab can be read in ${theme}, at once and after a reload`, async ({
    page,
    laboratory,
  }) => {
    evolve(laboratory, `charts-${theme}`);
    await page.addInitScript(
      (first) => {
        localStorage.setItem('tabia.settings', localStorage.getItem('tabia.settings') ?? first);
      },
      JSON.stringify({ theme: before }),
    );
    await page.goto(`${laboratory.url}/#/lab/charts-${theme}`);
    await expect(page.getByRole('img', { name: 'twofold' })).toBeVisible();
    await expect(page.getByRole('img', { name: 'diversity by generation' }).locator('canvas')).toBeVisible();
    await choose(page, theme);
    await checkAll(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await checkAll(page);
    }
  });
}
