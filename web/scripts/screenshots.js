// Pictures of every page in its states, for looking at: a running server's address, a folder, and optionally words that the
// names of the pictures must contain.
//   node scripts/screenshots.js http://127.0.0.1:8050 /tmp/pictures analyse-working dark
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';

const [url = 'http://127.0.0.1:8050', folder = 'pictures', ...words] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const screens = {
  desktop: { viewport: { width: 1440, height: 900 } },
  laptop: { viewport: { width: 1366, height: 768 } },
  portrait: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  landscape: { viewport: { width: 844, height: 390 }, isMobile: true, hasTouch: true },
};
const themes = ['light', 'dark', 'terminal'];
const pages = ['play', 'analyse', 'practise', 'arena', 'quantum', 'lab'];

const line =
  'e2e4.e7e5.g1f3.b8c6.f1c4.g8f6.f3g5.d7d5.e4d5.f6d5.g5f7.e8f7.d1f3.f7e6.b1c3.c6b4.a2a3.b4c2.e1d1.c2a1.c3d5.e6d6';

/** What a page looks like while it is used. */
const working = {
  async play(page) {
    await page.goto(`${url}/#/play`);
    await page.getByText('Beginner', { exact: true }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    const entry = page.getByRole('textbox', { name: 'Move' });
    for (const move of ['e4', 'Nf3']) {
      await entry.fill(move);
      await entry.press('Enter');
      await page.getByText('Your move').first().waitFor();
    }
  },
  async analyse(page) {
    await page.goto(`${url}/#/analyse?line=${line}`);
    const explanation = page.getByRole('tab', { name: 'Explanation' });
    if (await explanation.isVisible()) await explanation.click();
    await page.getByRole('button', { name: 'Analyse the game' }).click();
    await page.getByText('Accuracy').first().waitFor({ timeout: 120_000 });
    await page.locator('.faults li > button').first().click();
    await page.mouse.move(2, 2);
    await page.locator('.reasons .text').waitFor();
  },
  async practise(page) {
    await working.analyse(page);
    await page.goto(`${url}/#/practise/mistakes`);
    await page.getByRole('button', { name: 'Hint' }).click();
  },
  async arena(page) {
    await page.goto(`${url}/#/arena`);
    const answer = await page.request.post(`${url}/api/v1/runs`, {
      data: { kind: 'match', agents: ['axon', 'axiomx'], games: 10, depth: 2 },
    });
    const runs = await (await page.request.get(`${url}/api/v1/runs`)).json();
    const id = answer.ok() ? (await answer.json()).id : runs.runs[0]?.id;
    await page.goto(`${url}/#/arena/${id}`);
    await page.locator('table').first().waitFor();
  },
  async quantum(page) {
    const answer = await page.request.post(`${url}/api/v1/quantum/games`, {
      data: { white: 'human', black: 'human', moves: ['b1~c3', 'g8~f6', 'e2e4'] },
    });
    await page.goto(`${url}/#/quantum/${(await answer.json()).id}`);
    await page.getByText('Branches').first().waitFor();
  },
  async lab(page) {
    await page.goto(`${url}/#/lab`);
  },
};

const states = {
  async empty(page, name) {
    await page.goto(`${url}/#/${name}`);
  },
  async working(page, name) {
    await working[name](page);
  },
  async error(page, name) {
    await page.goto(`${url}/#/${name}/00000000000000000000000000000000`);
  },
  async offline(page, name) {
    await page.goto(`${url}/#/play`);
    await page.locator('cg-board').first().waitFor();
    await page.route('**/api/**', (route) => route.abort());
    await page.goto(`${url}/#/${name}`);
  },
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
for (const [screen, options] of Object.entries(screens)) {
  for (const theme of themes) {
    for (const name of pages) {
      for (const [state, show] of Object.entries(states)) {
        const file = `${name}-${state}-${screen}-${theme}`;
        if (!words.every((word) => file.includes(word))) continue;
        const context = await browser.newContext({ ...options, locale: 'en-GB' });
        const page = await context.newPage();
        await page.addInitScript(
          (chosen) => localStorage.setItem('tabia.settings', JSON.stringify({ theme: chosen })),
          theme,
        );
        try {
          await show(page, name);
          // Until fonts, pieces and first answers are there; a picture is for looking, nothing is asserted.
          await page.waitForTimeout(1200);
        } catch (error) {
          console.error(`${file}: ${error}`);
        }
        await page.screenshot({ path: join(folder, `${file}.png`) });
        console.log(file);
        await context.close();
      }
    }
  }
}
await browser.close();
