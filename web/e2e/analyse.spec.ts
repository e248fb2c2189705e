import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, Table, test } from './fixtures';
import { Laboratory } from './laboratory';

const scholar =
  '[White "Ada"]\n[Black "Babbage"]\n[Result "1-0"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0';

const moves = (page: Page): Locator => page.getByRole('group', { name: 'Moves', exact: true });
const engine = (page: Page): Locator => page.getByRole('region', { name: 'Engine' });

/** Without the engine, where a test is about something else. */
async function quiet(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('tabia.engine', JSON.stringify({ on: false })));
}

async function open(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Open…' }).click();
  await page.getByLabel('PGN (one game or many), replay or FEN').fill(text);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
}

test('old addresses lead to the analysis board', async ({ page, table, laboratory }) => {
  await quiet(page);
  const fen = '8/P6k/8/8/8/8/7K/8 w - - 0 1';
  await page.goto(`${laboratory.url}/#/see?fen=${encodeURIComponent(fen)}`);
  await expect(table.square('a7')).toContainText('white pawn');
  expect(page.url()).toContain('#/analyse?fen=');
  await page.goto(`${laboratory.url}/#/review`);
  await expect(page.getByRole('link', { name: 'Analyse' })).toHaveAttribute('aria-current', 'page');
});

test('everything is above the fold on a laptop', async ({ page, laboratory }) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.goto(`${laboratory.url}/#/analyse`);
  for (const part of [
    page.locator('cg-board'),
    page.getByRole('meter', { name: 'Evaluation' }),
    page.getByRole('group', { name: 'Go through the moves' }),
    engine(page),
    moves(page),
    page.getByRole('region', { name: 'Explanation' }),
  ]) {
    const box = await part.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 999)).toBeLessThanOrEqual(768);
  }
  const excess = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(excess).toBeLessThanOrEqual(0);
});

test('moves are legal ones, variations are kept, promoted, annotated and deleted', async ({
  page,
  table,
  laboratory,
}) => {
  await quiet(page);
  await page.goto(`${laboratory.url}/#/analyse`);
  await table.click('e2');
  await expect(page.locator('cg-board square.move-dest')).toHaveCount(2);
  await table.click('e4');
  await expect(moves(page).getByRole('button', { name: 'e4' })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await table.click('d2');
  await table.click('d4');
  await expect(moves(page)).toContainText('(1.d4');
  await page.getByRole('button', { name: 'Interesting move' }).click();
  await expect(moves(page)).toContainText('d4!?');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByLabel('Comment on d4').fill('the other way');
  await page.getByLabel('Comment on d4').blur();
  await expect(moves(page)).toContainText('the other way');
  await page.getByRole('button', { name: 'Promote', exact: true }).click();
  await expect(moves(page)).toContainText('(1.e4');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(moves(page)).not.toContainText('d4');
  await expect(moves(page)).toContainText('1.e4');
});

test('the tree outlives a reload, another page, and the server', async ({ page, openLaboratory }) => {
  const laboratory = await openLaboratory();
  await quiet(page);
  const table = new Table(page, laboratory);
  await page.goto(`${laboratory.url}/#/analyse`);
  await open(page, '1. e4 e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3');
  await moves(page).getByRole('button', { name: 'c3' }).click();
  await table.click('d7');
  await table.click('d5');
  await expect(moves(page).getByRole('button', { name: 'd5' })).toBeVisible();
  const text = await moves(page).innerText();
  await page.getByRole('link', { name: 'Arena' }).click();
  await expect(page.getByRole('region', { name: 'Matches' })).toBeVisible();
  await page.getByRole('link', { name: 'Analyse' }).click();
  expect(await moves(page).innerText()).toBe(text);
  await laboratory.stop('SIGKILL');
  await table.click('c3');
  await table.click('d4');
  await laboratory.start();
  await page.reload();
  await expect(moves(page).getByRole('button', { name: 'd5' })).toHaveAttribute('aria-current', 'step');
  expect(await moves(page).innerText()).toBe(text);
});

test('the engine shows its lines with arrows; its moves are previewed and played', async ({
  page,
  table,
  laboratory,
}) => {
  await page.goto(`${laboratory.url}/#/analyse`);
  await expect(engine(page).getByRole('listitem')).toHaveCount(3);
  await expect(page.locator('.cg-shapes g line')).toHaveCount(3);
  await expect(page.getByRole('meter', { name: 'Evaluation' })).not.toHaveText('');
  await engine(page).getByRole('button', { name: 'Engine settings' }).click();
  await engine(page)
    .getByRole('combobox', { name: /^Lines/ })
    .selectOption('1');
  await engine(page)
    .getByRole('combobox', { name: /^Stop at depth/ })
    .selectOption('14');
  await expect(engine(page).getByRole('listitem')).toHaveCount(1);
  const second = engine(page).getByRole('listitem').getByRole('button').nth(1);
  await expect(second).toBeVisible();
  await expect(engine(page)).toContainText('depth 14');
  await second.hover();
  await expect(page.getByRole('img', { name: 'Position after the move' })).toBeVisible();
  await second.click();
  await expect(moves(page).getByRole('button')).toHaveCount(2);
  await engine(page).getByRole('switch').click();
  await expect(page.locator('.cg-shapes g line')).toHaveCount(0);
  await expect(table.square('e1')).toContainText('white king');
});

test('the score belongs to the position that is shown', async ({ page, laboratory }) => {
  const mate = '7k/5ppp/8/8/8/8/8/R6K w - - 0 1';
  await page.goto(`${laboratory.url}/#/analyse?fen=${encodeURIComponent(mate)}`);
  const bar = page.getByRole('meter', { name: 'Evaluation' });
  await expect(bar).toHaveText('#1');
  await open(page, '8/8/8/3k4/8/8/8/K7 w - - 0 1');
  await expect(bar).toHaveText('0.0');
  await expect(engine(page)).toContainText('Neither side has the material');
});

test('a position that the engine has not answered for has no score', async ({ page, laboratory }) => {
  const position = (turn: string): string => `7k/5ppp/8/8/8/8/8/R6K ${turn} - - 0 1`;
  await page.goto(`${laboratory.url}/#/analyse?fen=${encodeURIComponent(position('w'))}`);
  const bar = page.getByRole('meter', { name: 'Evaluation' });
  await expect(bar).toHaveText('#1');
  await page.route(/analysis\/lines/, () => {
    // No answer comes.
  });
  await open(page, position('b'));
  await expect(bar).toHaveText('');
  await expect(engine(page).locator('.value')).toHaveCount(0);
  await expect(page.locator('.cg-shapes g line')).toHaveCount(0);
});

test('a game shows no verdict before it is analysed, and the same marks every time', async ({
  page,
  laboratory,
}) => {
  await quiet(page);
  await page.goto(`${laboratory.url}/#/analyse`);
  await open(page, scholar);
  await expect(page.getByRole('heading', { name: /Ada – Babbage 1-0/ })).toBeVisible();
  const explanation = page.getByRole('region', { name: 'Explanation' });
  await expect(explanation).not.toContainText(/blunder/i);
  const results: string[] = [];
  while (results.length < 2) {
    const asked = page.waitForRequest(
      (request) => request.method() === 'POST' && /\/analysis\/games\b/.test(request.url()),
    );
    await page.getByRole('button', { name: 'Analyse the game' }).click();
    // By nodes: a time would give other marks on another machine.
    const limits = Object.keys((await asked).postDataJSON() as object).filter((key) =>
      /nodes|time/.test(key),
    );
    expect(limits).toEqual(['nodes']);
    await expect(explanation).toContainText('Accuracy');
    await expect(moves(page)).toContainText('Nf6??');
    await expect(explanation).toContainText(/3… Nf6\?\?.*Better:\s*3…\s*(g6|Qe7|Qf6)/s);
    results.push(await explanation.innerText());
    await page.evaluate(() => localStorage.clear());
    await quiet(page);
    await open(page, scholar);
  }
  expect(results[1]).toBe(results[0]);
});

test('the graph and the report lead to the moves', async ({ page, table, laboratory }) => {
  await quiet(page);
  await page.goto(`${laboratory.url}/#/analyse`);
  await open(page, scholar);
  await page.getByRole('button', { name: 'Analyse the game' }).click();
  await expect(page.getByRole('img', { name: /winning chances/ }).locator('canvas')).toBeVisible();
  await page.getByRole('button', { name: /3… Nf6\?\?/ }).click();
  await expect(table.square('f6')).toContainText('black knight');
  const reasons = page.getByRole('tabpanel', { name: 'Reasons' });
  await expect(reasons).toContainText('allows mate in 1');
  await reasons
    .getByRole('button', { name: /^(g6|Qe7|Qf6)$/ })
    .first()
    .click();
  await expect(moves(page)).toContainText('(3…');
});

/** The list of evaluations, beside a short game. */
async function evaluations(page: Page, laboratory: Laboratory): Promise<Locator> {
  await quiet(page);
  await page.goto(`${laboratory.url}/#/analyse`);
  await open(page, '1. e4 e5 2. Nf3 Nc6');
  await page.getByRole('tab', { name: 'What each evaluation sees' }).click();
  const select = page.getByRole('combobox', { name: 'Evaluation', exact: true });
  await expect(select.getByRole('option', { name: 'axon', exact: true })).toBeAttached();
  return select;
}

test('arrows go through the moves, also after a field was used', async ({ page, table, laboratory }) => {
  const select = await evaluations(page, laboratory);
  await select.focus();
  await table.click('d5');
  await page.keyboard.press('ArrowRight');
  await expect(moves(page).getByRole('button', { name: 'e4' })).toHaveAttribute('aria-current', 'step');
  await expect(select).toHaveValue('field');
});

test('a choice made with the mouse leaves the arrows to the moves', async ({ page, laboratory }) => {
  const select = await evaluations(page, laboratory);
  await select.click();
  await select.selectOption('axon');
  await page.keyboard.press('ArrowRight');
  await expect(moves(page).getByRole('button', { name: 'e4' })).toHaveAttribute('aria-current', 'step');
  await expect(select).toHaveValue('axon');
});

test('what each evaluation sees: words, terms, a field over the board', async ({
  page,
  table,
  laboratory,
}) => {
  await quiet(page);
  const fen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1';
  await page.goto(`${laboratory.url}/#/analyse?fen=${encodeURIComponent(fen)}`);
  await page.getByRole('tab', { name: 'What each evaluation sees' }).click();
  const panel = page.getByRole('tabpanel', { name: 'What each evaluation sees' });
  await expect(panel).toContainText('Black is');
  await panel.getByRole('combobox', { name: 'Evaluation', exact: true }).selectOption('axiomx');
  await expect(panel).toContainText('material');
  await panel.getByRole('button', { name: 'white attack' }).click();
  await expect(page.locator('.ground').first()).toHaveAttribute('data-field', 'white attack');
  await expect(page.getByRole('img', { name: /orange is White's/ })).toBeVisible();
  const { x, y } = await table.point('f3');
  await page.mouse.move(x, y);
  await expect(panel).toContainText('white knight');
  await panel.getByRole('button', { name: 'none' }).click();
  await expect(page.locator('.ground .heat')).toHaveCount(0);
});

test('two evaluations are compared, and the change by a move is shown', async ({ page, laboratory }) => {
  await quiet(page);
  await page.goto(`${laboratory.url}/#/analyse?line=e2e4`);
  await page.getByRole('tab', { name: 'What each evaluation sees' }).click();
  const panel = page.getByRole('tabpanel', { name: 'What each evaluation sees' });
  await panel.getByRole('combobox', { name: 'Evaluation', exact: true }).selectOption('axiomx');
  await panel.getByLabel('Compare with another evaluation').check();
  await panel.getByRole('combobox', { name: 'Second evaluation' }).selectOption('axiomx-speed');
  await panel.getByRole('button', { name: 'control' }).click();
  await expect(page.locator('cg-board')).toHaveCount(2);
  await expect(page.locator('.ground[data-field]')).toHaveCount(2);
  await panel.getByLabel('Show the change by the last move').check();
  await expect(page.locator('.ground').first()).toHaveAttribute('data-field', 'control, change');
});

test('a position and its line are shared by a link', async ({ page, browser, laboratory }) => {
  await quiet(page);
  await page.goto(`${laboratory.url}/#/analyse`);
  await open(page, '1. e4 c5 (1... e5 2. Nf3) 2. Nf3');
  await moves(page).getByRole('button', { name: 'e5' }).click();
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.getByLabel('Link to this position').inputValue();
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(moves(other)).toHaveText(/1\.\s*e4\s+e5/);
  await expect(moves(other).getByRole('button', { name: 'e5' })).toHaveAttribute('aria-current', 'step');
  await other.close();
});

test('a link does not lose what was open before', async ({ page, laboratory }) => {
  await quiet(page);
  await page.goto(`${laboratory.url}/#/analyse`);
  await open(page, '1. e4 c5 2. Nf3');
  await page.goto(`${laboratory.url}/#/analyse?line=d2d4`);
  await expect(moves(page)).toContainText('d4');
  await page.getByRole('button', { name: 'Open…' }).click();
  await page.getByRole('button', { name: 'Back to the previous analysis' }).click();
  await expect(moves(page)).toContainText('Nf3');
});

test('a file of many games is searched, changed and downloaded without a loss', async ({
  page,
  laboratory,
}) => {
  await quiet(page);
  const games = Array.from({ length: 300 }, (_, index) =>
    [
      `[Event "Round ${index}"]\n[White "Player ${index}"]\n[Black "Other"]\n[Result "*"]`,
      '1. e4 {best by test} e5 (1... c5 $1 2. Nf3 (2. c3 d5 (2... Nf6)) 2... d6) 2. Nf3 $14 ; to the end\nNc6 *',
    ].join('\n\n'),
  );
  await page.goto(`${laboratory.url}/#/analyse`);
  await page.getByRole('button', { name: 'Open…' }).click();
  await page.getByLabel('Open a file').setInputFiles({
    name: 'games.pgn',
    mimeType: 'application/x-chess-pgn',
    buffer: Buffer.from(games.join('\n\n')),
  });
  await expect(page.getByText('300 games')).toBeVisible();
  await page.getByLabel('Search').fill('Player 123');
  await page.getByLabel('Game of the file').selectOption({ label: '124. Player 123 – Other * (Round 123)' });
  await expect(page.getByRole('heading', { name: /Player 123/ })).toBeVisible();
  await moves(page).getByRole('button', { name: 'c3' }).click();
  await page.getByRole('button', { name: 'Promote', exact: true }).click();
  await page.reload();
  await expect(page.getByText('300 games')).toBeVisible();
  await page.getByRole('button', { name: 'Share' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download all 300 games' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  const written = text.trim().split(/\n\n(?=\[Event )/);
  expect(written).toHaveLength(300);
  expect(written[5]).toBe(games[5]);
  const changed = (written[123] ?? '').replace(/\s+/g, ' ');
  expect(changed).toContain(
    '1. e4 { best by test } e5 ( 1... c5 $1 2. c3 ( 2. Nf3 d6 ) 2... d5 ( 2... Nf6 ) ) 2. Nf3 $14 { to the end } 2... Nc6 *',
  );
});

for (const [what, text, said] of [
  ['a word that is no move', '1. e4 Zz5 2. Nf3', 'Line 1: "Zz5" is not a move'],
  ['an illegal move', '1. e4 e5 2. Ke3', '2. Ke3 is not legal'],
  [
    'a rank that is too long',
    'rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
    'rank 7 has 9 squares',
  ],
  ['no game at all', 'hello', '"hello" is not a move'],
] as const) {
  test(`${what} is told in a sentence`, async ({ page, laboratory }) => {
    await quiet(page);
    await page.goto(`${laboratory.url}/#/analyse`);
    await open(page, text);
    await expect(page.getByRole('alert')).toContainText(said);
    await expect(page.getByRole('alert')).not.toContainText('ERR_');
    await expect(page.locator('cg-board piece')).toHaveCount(32);
  });
}

test('a rubbish FEN in the address is told, and nothing is drawn from it', async ({ page, laboratory }) => {
  await quiet(page);
  await page.goto(`${laboratory.url}/#/analyse?fen=rubbish/8/8/8/8/8/8/KQRBNPk%20w`);
  await expect(page.getByRole('alert')).toContainText('is not a position');
  await expect(page.getByRole('alert')).not.toContainText('ERR_');
  await expect(page.locator('cg-board piece')).toHaveCount(32);
});

test('a position is set up in the editor and analysed', async ({ page, table, laboratory }) => {
  await quiet(page);
  await page.goto(`${laboratory.url}/#/analyse`);
  await page.getByRole('button', { name: 'Editor' }).click();
  await page.getByRole('button', { name: 'Clear the board' }).click();
  await expect(page.getByText('White has 0 kings, expected 1.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Analyse', exact: true })).toBeDisabled();
  for (const [piece, square] of [
    ['white king', 'e1'],
    ['black king', 'e8'],
    ['white queen', 'd1'],
  ]) {
    await page.getByRole('button', { name: piece, exact: true }).click();
    await page.getByRole('button', { name: `${square}, empty` }).click();
  }
  await page.getByLabel('Side to move').selectOption('Black');
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await expect(table.square('d1')).toContainText('white queen');
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByLabel('FEN', { exact: true })).toHaveValue('4k3/8/8/8/8/8/8/3QK3 b - - 0 1');
});

test('a page that was never visited opens when the server is back', async ({ page, openLaboratory }) => {
  const laboratory = await openLaboratory();
  await page.goto(`${laboratory.url}/#/play`);
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await laboratory.stop('SIGKILL');
  await page.getByRole('link', { name: 'Lab' }).click();
  // Either its parts were kept for this, or it says that the server is away; it is never blank.
  await expect(page.locator('#main').getByText(/does not answer/)).toBeVisible();
  await laboratory.start();
  await expect(page.getByRole('region', { name: 'Runs' })).toContainText('Nothing here yet');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the board and the stepper stay in view, one panel at a time', async ({ page, laboratory }) => {
    await page.goto(`${laboratory.url}/#/analyse?line=e2e4.e7e5`);
    await expect(page.locator('cg-board')).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('group', { name: 'Go through the moves' })).toBeInViewport({ ratio: 1 });
    await expect(moves(page)).toBeVisible();
    await expect(engine(page)).toBeHidden();
    await page.getByRole('tab', { name: 'Engine' }).tap();
    await expect(engine(page)).toBeVisible();
    await expect(moves(page)).toBeHidden();
  });
});
