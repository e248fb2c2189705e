/** A move of one side is a ply: what is counted in plies says so, what says moves counts moves, and one is not "1 plies". */
import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures';

/** Games whose next move is a person's, told apart by the other player. */
const games = [
  { black: 'random(seed=22)', moves: ['e4', 'e5'] },
  { black: 'random(seed=44)', moves: ['e4', 'e5', 'Nf3', 'Nc6'] },
];

for (const [language, texts, lengths, numbers] of [
  ['en', { recent: 'Recent games', open: 'Open…' }, ['1 move', '2 moves'], ['move 2', 'move 3']],
  ['de', { recent: 'Letzte Partien', open: 'Öffnen …' }, ['1 Zug', '2 Züge'], ['Zug 2', 'Zug 3']],
] as const) {
  test(`the length of a game is told in moves, not in plies, ${language}`, async ({ page, laboratory }) => {
    await page.addInitScript(
      (kept) => localStorage.setItem('tabia.settings', kept),
      JSON.stringify({ language }),
    );
    for (const game of games) {
      const data = { white: 'human', ...game };
      expect((await page.request.post(`${laboratory.url}/api/v1/games`, { data })).status()).toBe(201);
    }
    const item = (list: Locator, index: number): Locator =>
      list
        .getByRole('listitem')
        .filter({ hasText: games[index]?.black ?? '' })
        .first();
    await page.goto(`${laboratory.url}/#/play`);
    const recent = page.locator('section', { has: page.getByRole('heading', { name: texts.recent }) });
    for (const [index, said] of numbers.entries()) await expect(item(recent, index)).toContainText(said);
    await page.goto(`${laboratory.url}/#/analyse`);
    await page.getByRole('button', { name: texts.open, exact: true }).click();
    for (const [index, said] of lengths.entries()) {
      await expect(item(page.getByRole('dialog'), index)).toContainText(new RegExp(`· ${said}\\s`));
    }
  });
}

test('a board of a match tells its plies as plies and its move as a move', async ({ page, laboratory }) => {
  const agents = ['engine(eval=axon,hash=1)', 'engine(eval=field,hash=1)'];
  const data = { kind: 'match', name: 'told', agents, games: 100_000, nodes: 1500, concurrency: 1 };
  const response = await page.request.post(`${laboratory.url}/api/v1/runs`, { data });
  expect(response.status(), await response.text()).toBe(202);
  await page.goto(`${laboratory.url}/#/arena/told`);
  const boards = page.getByRole('region', { name: 'Games in progress' });
  const board = boards.getByRole('listitem').first();
  await expect(board).toBeVisible();
  // Read at once: the game goes on meanwhile.
  const [, plies = '', unit, move] =
    /, (\d+) (\w+)\n.*move (\d+)/s.exec(
      await board.evaluate(
        (item) => `${item.querySelector('[role=img]')?.getAttribute('aria-label')}\n${item.textContent}`,
      ),
    ) ?? [];
  expect(unit).toBe(plies === '1' ? 'ply' : 'plies');
  expect(Number(move)).toBe(Math.ceil(Number(plies) / 2));
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
});

test('of a game of quantum chess plies are counted, one as one', async ({ page, laboratory }) => {
  const data = { white: 'human', black: 'human' };
  const created = await page.request.post(`${laboratory.url}/api/v1/quantum/games`, { data });
  expect(created.status()).toBe(201);
  const { id } = (await created.json()) as { id: string };
  const recent = page.getByRole('region', { name: 'Recent games' }).getByRole('listitem').first();
  for (const [move, ply, said] of [
    ['e2e4', 0, '1 ply, 1 branch'],
    ['e7e5', 1, '2 plies, 1 branch'],
  ] as const) {
    const made = await page.request.post(`${laboratory.url}/api/v1/quantum/games/${id}/moves`, {
      data: { move, ply },
    });
    expect(made.status(), await made.text()).toBe(200);
    await page.goto('about:blank');
    await page.goto(`${laboratory.url}/#/quantum`);
    await expect(recent).toContainText(said);
  }
  await page.goto(`${laboratory.url}/#/quantum/${id}`);
  await page.getByRole('button', { name: 'Previous move' }).click();
  await expect(page.getByText('After ply 1 of 2.')).toBeVisible();
});
