import { readFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures';
import type { Page } from '@playwright/test';

interface Asked {
  agents?: string[];
  name: string;
  [key: string]: unknown;
}

/** A match that lasts until it is stopped, started through the API. */
async function started(page: Page, url: string, asked: Asked): Promise<void> {
  const data = {
    kind: 'match',
    agents: ['axiomx-speed(depth=2)', 'random(seed=1)'],
    games: 100_000,
    depth: 2,
    concurrency: 1,
    ...asked,
  };
  const response = await page.request.post(`${url}/api/v1/runs`, { data });
  expect(response.status(), await response.text()).toBe(202);
  await page.goto(`${url}/#/arena/${asked.name}`);
}

async function stopped(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
}

test('a match is set up on the page, watched on its boards, and its games are reviewed', async ({
  page,
  table,
  laboratory,
}) => {
  await page.goto(`${laboratory.url}/#/arena?new`);
  const form = page.getByRole('form', { name: 'New match' });
  for (const [player, agent] of [
    ['Player 1', 'axiomx-speed'],
    ['Player 2', 'random'],
  ] as const) {
    await form.getByRole('group', { name: player }).getByRole('combobox').first().selectOption(agent);
  }
  await form.getByLabel('Name of player 1').fill('speedy');
  await form.getByLabel('Games of each pairing').fill('4');
  await form.getByLabel('Time control').selectOption('depth');
  await form.getByLabel('plies').fill('1');
  await form.getByLabel('Name of the match').fill('from the page');
  await form.getByRole('button', { name: 'Start' }).click();
  const run = page.getByRole('region', { name: 'Run from-the-page' });
  await expect(run).toContainText('finished');
  await expect(run).toContainText('speedy against random');
  await expect(page.getByRole('region', { name: 'Standings' })).toContainText('none');
  await expect(page.getByRole('region', { name: 'Matches' })).toContainText('from-the-page');
  const download = page.waitForEvent('download');
  await run.getByRole('link', { name: 'Games as PGN' }).click();
  expect(readFileSync(await (await download).path(), 'utf8')).toContain('[White "speedy"]');
  await run.page().getByRole('figure').getByRole('link', { name: 'Analyse' }).click();
  await expect(page.getByRole('heading', { name: /speedy/ })).toBeVisible();
  await expect(table.square('e1')).toBeAttached();
});

test('what cannot be meant is refused in a sentence', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/#/arena?new`);
  const form = page.getByRole('form', { name: 'New match' });
  await form.getByLabel('Ends').selectOption('when a test has decided');
  await form.getByLabel('At least (Elo)').fill('-5');
  await form.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('alert')).toContainText('the lower first');
  await form.getByLabel('At least (Elo)').fill('5');
  await form.getByLabel('Time control').selectOption('a clock');
  await form.getByLabel('seconds + seconds per move').fill('soon');
  await form.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('alert')).toContainText('such as 8+0.08');
});

test('a match goes on move by move, is stopped, and resumed', async ({ page, laboratory }) => {
  // Two that are much alike are not told apart for long.
  const agents = ['engine(eval=axon,hash=1)', 'engine(eval=field,hash=1)'];
  await started(page, laboratory.url, { name: 'long', agents, sprt: [0, 2], depth: undefined, nodes: 1500 });
  const boards = page.getByRole('region', { name: 'Games in progress' });
  const board = boards.getByRole('img').first();
  await expect(board).toBeVisible();
  const before = await board.getAttribute('aria-label');
  await expect.poll(() => board.getAttribute('aria-label')).not.toBe(before);
  await expect(page.getByRole('img', { name: /Log-likelihood ratio/ })).toBeVisible();
  await stopped(page);
  await expect(boards).toHaveCount(0);
  const latest = page
    .getByRole('list', { name: /Games that have ended/ })
    .getByRole('button')
    .first();
  const number = async () => parseInt(await latest.innerText());
  const ended = await number();
  expect(ended).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(board).toBeVisible();
  await expect.poll(number).toBeGreaterThan(ended);
  await stopped(page);
});

for (const theme of ['light', 'dark', 'terminal']) {
  test(`a match in ${theme} has nothing that shuts people out`, async ({ page, laboratory, complaints }) => {
    await page.addInitScript(
      (look) => localStorage.setItem('tabia.settings', JSON.stringify({ theme: look })),
      theme,
    );
    test.slow();
    const agents = ['engine(eval=axon,hash=1)', 'engine(eval=field,hash=1)'];
    await started(page, laboratory.url, { name: `seen-${theme}`, agents, depth: undefined, nodes: 1500 });
    await expect(page.getByRole('region', { name: 'Games', exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Games in progress' })).toBeVisible();
    const violations = async (part = 'body') => {
      const found = (await new AxeBuilder({ page }).include(part).analyze()).violations;
      return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`);
    };
    expect(await violations('[aria-label="Games in progress"]')).toEqual([]);
    await stopped(page);
    expect(await violations()).toEqual([]);
    await page.getByRole('link', { name: 'New match' }).click();
    await page.getByRole('button', { name: 'Add a player' }).click();
    expect(await violations()).toEqual([]);
    expect(complaints).toEqual([]);
  });
}

test('a match that does not exist is told, once', async ({ page, laboratory }) => {
  await page.clock.install();
  await page.goto(`${laboratory.url}/#/arena/nope`);
  await expect(page.getByRole('alert')).toContainText('nope');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.clock.runFor(60_000);
  // The list is looked at again; what is not there is not.
  await expect.poll(() => asked.filter((path) => path.endsWith('/runs')).length).toBeGreaterThan(0);
  expect(asked.filter((path) => path.includes('nope'))).toEqual([]);
});

test('agents that the server refuses are not offered', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/#/arena?new`);
  const agents = page.getByRole('group', { name: 'Player 1' }).getByRole('combobox').first();
  await expect(agents.getByRole('option', { name: 'axiomx', exact: true })).toBeAttached();
  for (const refused of ['uci', 'xboard']) {
    await expect(agents.getByRole('option', { name: refused })).toHaveCount(0);
  }
});

/** An event as a stream of the server tells it. */
const told = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

test('between the first and the second game of a match it is told that there is no pair yet', async ({
  page,
  laboratory,
}) => {
  // In a match this does not last: here it does.
  const run = { id: 'paired', kind: 'match', state: 'running', here: true, settings: {}, artefacts: [] };
  const result = { agents: ['a', 'b'], games: 0, wins: 0, draws: 0, losses: 0, pentanomial: [] };
  const live = { finished: 1, total: 100_000, games: [], llr: [], result };
  await page.route(/runs\/paired\/events/, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: told('run', run) + told('live', live) }),
  );
  await page.goto(`${laboratory.url}/#/arena/paired`);
  const shown = page.getByRole('region', { name: 'Run paired' });
  await expect(shown).toContainText('1 of 100000 games');
  await expect(shown).toContainText('the first pair is not complete');
  await expect(shown).not.toContainText('No game has ended');
});

test('while a match runs, its counts agree', async ({ page, laboratory }) => {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const counted = parseInt(document.querySelector('.progress span')?.textContent ?? '0');
      const said = /No game has ended/.exec(document.body.textContent ?? '');
      seen.add(`${counted > 0 ? 'some' : 'none'}: ${said?.[0] ?? ''}`);
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
  const agents = ['engine(eval=axon,hash=1)', 'engine(eval=field,hash=1)'];
  await started(page, laboratory.url, { name: 'counted', agents, depth: undefined, nodes: 1500 });
  const run = page.getByRole('region', { name: 'Run counted' });
  await expect(run).toContainText(/[1-9]\d* of 100000 games/);
  await expect(run).not.toContainText('No game has ended yet');
  const score = run.getByRole('img', { name: /\d+ wins, \d+ draws, \d+ losses/ });
  await expect(score).toBeVisible();
  const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
  expect(seen).not.toContain('some: No game has ended');
  for (let look = 0; look < 5; look += 1) {
    // Read at once: the match goes on meanwhile.
    const [counted, scored, listed] = await page.evaluate(() => {
      const of = (selector: string): string => document.querySelector(selector)?.textContent ?? '';
      const label = document.querySelector('[role=img][aria-label$="losses"]')?.getAttribute('aria-label');
      const parts = (label?.match(/\d+/g) ?? []).map(Number);
      return [
        parseInt(of('.progress span')),
        parts.reduce((sum, part) => sum + part, 0),
        document.querySelectorAll('ol[aria-label^="Games that have ended"] li').length,
      ] as const;
    });
    expect(scored).toBeGreaterThan(0);
    expect(scored).toBeLessThanOrEqual(counted);
    expect(listed).toBeLessThanOrEqual(counted);
  }
  await stopped(page);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a match and its form fit the width', async ({ page, laboratory }) => {
    await started(page, laboratory.url, { name: 'narrow' });
    await expect(page.getByRole('region', { name: 'Games', exact: true })).toBeVisible();
    const excess = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(await excess()).toBeLessThanOrEqual(0);
    await stopped(page);
    await page.getByRole('link', { name: 'New match' }).click();
    await expect(page.getByRole('form', { name: 'New match' })).toBeVisible();
    expect(await excess()).toBeLessThanOrEqual(0);
  });
});
