import type { Page } from '@playwright/test';
import { expect, Table, test } from './fixtures';

/** The form for any two players. */
async function others(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/`);
  await page.getByRole('button', { name: 'More opponents and options' }).click();
}

test("a whole game by clicks, to the scholar's mate", async ({ table }) => {
  await table.sit();
  await table.play('e2', 'e4', 'e4');
  await table.play('e7', 'e5', 'e5');
  await table.play('f1', 'c4', 'Bc4');
  await table.play('b8', 'c6', 'Nc6');
  await table.play('d1', 'h5', 'Qh5');
  await table.play('g8', 'f6', 'Nf6');
  await table.play('h5', 'f7', 'Qxf7#');
  await expect(table.status).toContainText('1-0');
  await expect(table.status).toContainText('White wins by checkmate');
});

test('a move by dragging', async ({ table }) => {
  await table.sit();
  await table.drag('g1', 'f3');
  await expect(table.moves.getByRole('button', { name: 'Nf3' })).toBeVisible();
  await expect(table.square('f3')).toContainText('white knight');
  await expect(table.square('g1')).toContainText('empty');
});

test('a piece dragged where it may not go comes back', async ({ table }) => {
  await table.sit();
  await table.drag('g1', 'g4');
  await expect(table.moves).toContainText('No moves yet');
  await expect(table.square('g1')).toContainText('white knight');
});

test('a chosen piece shows where it may go', async ({ table, page }) => {
  await table.sit();
  await table.click('b1');
  await expect(page.locator('cg-board square.selected')).toHaveCount(1);
  await expect(page.locator('cg-board square.move-dest')).toHaveCount(2);
});

test('a pawn promotes to the knight chosen in the dialog', async ({ table, page }) => {
  await table.sit({ fen: '8/P6k/8/8/8/8/7K/8 w - - 0 1' });
  await table.click('a7');
  await table.click('a8');
  await page.getByRole('dialog').getByRole('button', { name: 'knight' }).click();
  await expect(table.moves.getByRole('button', { name: 'a8=N' })).toBeVisible();
  await expect(table.square('a8')).toContainText('white knight');
});

test('a promotion that is taken back leaves the pawn where it was', async ({ table, page }) => {
  await table.sit({ fen: '8/P6k/8/8/8/8/7K/8 w - - 0 1' });
  await table.drag('a7', 'a8');
  await page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click();
  await expect(page.locator('cg-board piece.white.pawn')).toHaveCount(1);
  await table.click('a7');
  await table.click('a8');
  await expect(page.getByRole('dialog')).toBeVisible();
});

test('undo takes back the move and the reply', async ({ table, page }) => {
  await table.sit({ black: 'random(seed=3)' });
  await table.play('e2', 'e4', 'e4');
  await expect(table.moves.getByRole('button')).toHaveCount(2);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(table.moves).toContainText('No moves yet');
  await expect(table.square('e2')).toContainText('white pawn');
});

test("one's own move is on the board at once, while the agent thinks", async ({ table }) => {
  await table.sit({ black: 'engine(depth=60)' });
  await table.click('e2');
  await table.click('e4');
  await expect(table.status).toContainText('Thinking…');
  await expect(table.square('e4')).toContainText('white pawn');
});

test('"move now" makes the agent play what it has', async ({ table, page }) => {
  await table.sit({ black: 'engine(depth=60)' });
  await table.play('e2', 'e4', 'e4');
  await expect(table.status).toContainText('depth');
  await page.getByRole('button', { name: 'Move now' }).click();
  await expect(table.moves.getByRole('button')).toHaveCount(2);
  await expect(table.status).toContainText('Your move');
});

test('a move entered ahead is played when its turn comes', async ({ table, page }) => {
  await table.sit({ black: 'engine(depth=60)' });
  await table.play('e2', 'e4', 'e4');
  await table.click('g1');
  await table.click('f3');
  await expect(page.locator('cg-board square.current-premove')).toHaveCount(2);
  // Only an agent that has begun to think has something to play.
  await expect(table.status).toContainText('depth');
  await page.getByRole('button', { name: 'Move now' }).click();
  await expect(table.moves.getByRole('button', { name: 'Nf3' })).toBeVisible();
});

test('the arrows go through the moves, and back to the game', async ({ table, page }) => {
  await table.sit();
  await table.play('e2', 'e4', 'e4');
  await table.play('e7', 'e5', 'e5');
  await page.locator('#main').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(table.square('e5')).toContainText('empty');
  await page.keyboard.press('ArrowUp');
  await expect(table.square('e2')).toContainText('white pawn');
  await page.keyboard.press('ArrowDown');
  await expect(table.square('e5')).toContainText('black pawn');
});

test('resigning asks once more and ends the game', async ({ table, page }) => {
  await table.sit({ black: 'random' });
  await page.getByRole('button', { name: 'Resign', exact: true }).click();
  await page.getByRole('button', { name: 'Resign?' }).click();
  await expect(table.status).toContainText('0-1');
});

test('between people a draw is offered and accepted', async ({ table, page }) => {
  await table.sit();
  await page.getByRole('button', { name: 'Offer draw' }).click();
  await page.getByRole('button', { name: 'Offer a draw?' }).click();
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(table.status).toContainText('1/2-1/2');
});

test('a clock runs from the first move on, and the time is up when it is', async ({
  page,
  table,
  laboratory,
}) => {
  const response = await page.request.post(`${laboratory.url}/api/v1/games`, {
    data: { white: 'human', black: 'human', clock: { initial_ms: 2000, increment_ms: 0 } },
  });
  const { id } = (await response.json()) as { id: string };
  await page.goto(`${laboratory.url}/#/play/${id}`);
  await expect(page.getByRole('timer', { name: "Black's time" })).toHaveText('0:02.0');
  await table.play('e2', 'e4', 'e4');
  await expect(table.status).toContainText('White wins on time');
  await expect(page.getByRole('timer', { name: "Black's time" })).toHaveText('0:00.0');
});

test('the board is turned, and turned back', async ({ table, page }) => {
  await table.sit();
  await page.getByRole('button', { name: 'Flip' }).click();
  await expect(page.locator('.ground .rank').first()).toHaveText('1');
  await page.locator('#main').focus();
  await page.keyboard.press('f');
  await expect(page.locator('.ground .rank').first()).toHaveText('8');
});

test('position and game are copied as text', async ({ table, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await table.sit();
  await table.play('e2', 'e4', 'e4');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy FEN' }).click();
  await expect.poll(copied).toContain('4P3/8/PPPP1PPP');
  await page.getByRole('button', { name: 'Copy PGN' }).click();
  await expect.poll(copied).toContain('1. e4 ');
});

test('two agents play while one watches', async ({ table, page }) => {
  await table.sit({ white: 'random(seed=1)', black: 'random(seed=2)' }, '');
  await expect(table.moves.getByRole('button').nth(5)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resign' })).toHaveCount(0);
});

test('a newcomer plays a beginner in two clicks, from the first screen', async ({
  page,
  table,
  laboratory,
}) => {
  await page.goto(`${laboratory.url}/`);
  await expect(page.getByRole('radio', { name: /\(\d+\)|Full strength/ })).toHaveCount(8);
  await page.getByText('Beginner', { exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(table.status).toContainText('Your move');
  await expect(page.getByText('Beginner (600)')).toBeVisible();
  await expect(page.getByText('engine(elo=600)')).toHaveCount(0);
  await expect(page).toHaveTitle('Your move · Tabia');
});

test('one can play Black, and is seated on that side', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/`);
  await page.getByText('Novice', { exact: true }).click();
  await page.getByRole('radiogroup', { name: 'Your colour' }).locator('label').last().click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.locator('.ground .rank').first()).toHaveText('1');
  await expect(page.getByRole('list', { name: 'Moves' }).getByRole('button')).toHaveCount(1);
});

test('the board has the same size before a game and in it', async ({ page, table, laboratory }) => {
  await page.goto(`${laboratory.url}/`);
  const before = await page.locator('cg-board').boundingBox();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(table.status).toBeVisible();
  expect(await page.locator('cg-board').boundingBox()).toEqual(before);
});

test('other agents are behind "More opponents", without those that the server refuses', async ({
  page,
  table,
  laboratory,
}) => {
  await others(page, laboratory.url);
  const black = page.getByRole('group', { name: 'Black' });
  await expect(
    black.getByRole('combobox').getByRole('option', { name: 'axiomx', exact: true }),
  ).toBeAttached();
  for (const refused of ['uci', 'xboard']) {
    await expect(black.getByRole('combobox').getByRole('option', { name: refused })).toHaveCount(0);
  }
  await black.getByRole('combobox').selectOption('engine');
  await black.getByRole('slider').fill('0');
  await expect(black).toContainText('Beginner (600)');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(table.status).toContainText('Your move');
});

test('Chess960 is set up by its number, and castled by king and rook or to the place', async ({
  page,
  table,
  laboratory,
}) => {
  await others(page, laboratory.url);
  await page.getByRole('group', { name: 'Black' }).getByRole('combobox').selectOption('');
  await page.getByRole('combobox', { name: 'Start position', exact: true }).selectOption('Chess960');
  await page.getByLabel('Number, 0 to 959').fill('518');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(table.square('e1')).toContainText('white king');
  await expect(page.getByText('Chess960')).toBeVisible();
  const fen = '1k6/8/8/8/8/8/8/R2K3R w HA - 0 1';
  for (const [to, san, king] of [
    ['a1', 'O-O-O', 'c1'],
    ['g1', 'O-O', 'g1'],
  ] as const) {
    await table.sit({ fen, variant: 'chess960' });
    await table.play('d1', to, san);
    await expect(table.square(king)).toContainText('white king');
    await table.play('b8', 'b7', 'Kb7');
  }
  await table.sit({ fen: 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1' });
  await table.play('e1', 'h1', 'O-O');
  await expect(table.square('f1')).toContainText('white rook');
});

test('a pasted game goes on where it ended', async ({ page, table, laboratory }) => {
  await others(page, laboratory.url);
  await page.getByRole('group', { name: 'Black' }).getByRole('combobox').selectOption('');
  await page.getByText('Start from a position or a game').click();
  await page.getByLabel('FEN or PGN').fill('1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(table.status).toContainText('Black to move');
  await expect(table.moves.getByRole('button')).toHaveCount(7);
});

test('what is wrong with a pasted position is said', async ({ page, laboratory }) => {
  await others(page, laboratory.url);
  await page.getByText('Start from a position or a game').click();
  await page.getByLabel('FEN or PGN').fill('8/8/8/8/8/8/8/8 w - - 0 1');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('is not a position');
  await expect(page.getByRole('alert')).not.toContainText('ERR_');
});

test('an offered draw is asked about first, and no agent takes it in the opening', async ({
  table,
  page,
}) => {
  await table.sit({ black: 'random(seed=1)' });
  await page.getByRole('button', { name: 'Offer draw' }).click();
  await page.getByRole('button', { name: 'No', exact: true }).click();
  await page.getByRole('button', { name: 'Offer draw' }).click();
  await page.getByRole('button', { name: 'Offer a draw?' }).click();
  await expect(page.getByRole('alert')).toContainText('The draw offer is declined');
  await expect(table.status).toContainText('Your move');
});

for (const [who, fen, taken] of [
  ['wins', '3qk3/8/8/8/8/8/8/4K3 w - - 0 30', false],
  ['loses', '4k3/8/8/8/8/8/8/3QK3 w - - 0 30', true],
] as const) {
  test(`a level that ${who} ${taken ? 'takes' : 'declines'} a draw after the opening`, async ({
    table,
    page,
  }) => {
    await table.sit({ black: 'engine(elo=600)', fen });
    await page.getByRole('button', { name: 'Offer draw' }).click();
    await page.getByRole('button', { name: 'Offer a draw?' }).click();
    if (taken) await expect(table.status).toContainText('1/2-1/2');
    else await expect(page.getByRole('alert')).toContainText('The draw offer is declined');
  });
}

test("the bar is off in a game, and the strong engine's alone when it is on", async ({ table, page }) => {
  await table.sit({ fen: '7k/5ppp/8/8/8/8/8/R6K w - - 0 1' });
  await expect(page.getByRole('meter')).toHaveCount(0);
  await page.keyboard.press(',');
  await page.getByLabel('Evaluation bar while playing').check();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('meter')).toHaveAttribute('aria-valuetext', /White mates in 1/);
});

test("the bar shows one score for one position: the strong engine's, whoever plays", async ({
  table,
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('tabia.settings', JSON.stringify({ bar: true })));
  const asked: URL[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/analysis/lines')) asked.push(new URL(request.url()));
  });
  await table.sit({ black: 'axiomx-speed(depth=2)' });
  const bar = page.getByRole('meter');
  await table.play('e2', 'e4', 'e4');
  await expect(table.moves.getByRole('button')).toHaveCount(2);
  await expect(bar).toHaveText(/\d/);
  const words = (await bar.getAttribute('aria-valuetext')) ?? '';
  const last = asked.at(-1);
  expect(last?.searchParams.get('fen')).toContain(' w ');
  expect(new Set(asked.map((url) => url.searchParams.get('agent')))).toEqual(
    new Set(['engine(threads=1,hash=16)']),
  );
  // By nodes, the engine says the same again.
  const said = await (await page.request.get(String(last))).text();
  const score = Number([...said.matchAll(/"score_cp":(-?\d+)/g)].at(-1)?.[1]);
  expect(words).toContain(Math.abs(score / 100).toFixed(2));
  await page.locator('#main').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(bar).not.toHaveAttribute('aria-valuetext', words);
  await page.keyboard.press('ArrowRight');
  await expect(bar).toHaveAttribute('aria-valuetext', words);
});

test('the bar sees a pawn that is about to queen', async ({ table, page }) => {
  await page.addInitScript(() => localStorage.setItem('tabia.settings', JSON.stringify({ bar: true })));
  await table.sit({ fen: '8/P6k/8/8/8/8/7K/8 w - - 0 1' });
  await expect(page.getByRole('meter')).toHaveAttribute(
    'aria-valuetext',
    /White (mates in \d|is better by ([4-9]|\d\d))/,
  );
});

test('after mate the bar shows the mate, not one to come', async ({ table, page }) => {
  await page.addInitScript(() => localStorage.setItem('tabia.settings', JSON.stringify({ bar: true })));
  await table.sit({ fen: '7k/5ppp/8/8/8/8/8/R6K w - - 0 1' });
  await table.play('a1', 'a8', 'Ra8#');
  await expect(table.status).toContainText('White wins by checkmate');
  await expect(page.getByRole('meter')).toHaveAttribute('aria-valuetext', 'White has mated');
  await expect(page.getByRole('meter')).toHaveText('#');
});

test('an address that is no game says so, however it is written', async ({
  page,
  laboratory,
  complaints,
}) => {
  await page.goto(`${laboratory.url}/#/play/%E0%A4%A`);
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.getByRole('form', { name: 'New game' })).toBeVisible();
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('status of 4')));
});

test.describe('when the server goes away', () => {
  test('the game goes on after it is back', async ({ page, openLaboratory }) => {
    const laboratory = await openLaboratory();
    const table = new Table(page, laboratory);
    await table.sit();
    const id = page.url().split('/').at(-1);
    const ply = async () => {
      const game = await page.request.get(`${laboratory.url}/api/v1/games/${id}`);
      return ((await game.json()) as { ply: number }).ply;
    };
    await table.play('e2', 'e4', 'e4');
    // A move is seen before the server has it, and the next can be entered when it has.
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeEnabled();
    await laboratory.stop('SIGKILL');
    await expect(table.status).toContainText('Connection lost, trying again');
    // A move made meanwhile is kept, and sent when the server is back.
    await table.play('e7', 'e5', 'e5');
    await laboratory.start();
    await expect(table.status).toContainText('White to move');
    await table.play('g1', 'f3', 'Nf3');
    await expect.poll(ply).toBe(3);
  });
});
