/** Whole journeys, as people make them. In each the server dies without a word and comes back: nothing is lost. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { test as base, type Locator, type Page } from '@playwright/test';
import { expect, Table } from './fixtures';
import { Laboratory } from './laboratory';

const root = resolve(import.meta.dirname, '../..');
/** The interpreter that has python-chess: that of the tests with other programs. */
const python =
  process.env.PYTHON ??
  [join(root, '.venv/bin/python')].find((candidate) => existsSync(candidate)) ??
  'python3';

/** A server of the test's own, to be killed, and what the browser complains about beyond a server that is away. */
const test = base.extend<{ laboratory: Laboratory; table: Table; complaints: string[] }>({
  laboratory: async ({ page }, use) => {
    const laboratory = await Laboratory.open();
    await use(laboratory);
    // Before the server: else a request on its way would be lost.
    await page.close();
    await laboratory.close();
  },
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => {
        // Browsers tell of every broken connection, of a server that is busy and is asked again, and of jobs that a
        // restarted server has forgotten.
        const expected =
          /net::ERR_|status of 503/.test(message.text()) ||
          message.location().url.includes('/analysis/games/');
        if (message.type() === 'error' && !expected) complaints.push(message.text());
      });
      await use(complaints);
      expect(complaints, 'errors in the browser').toEqual([]);
    },
    { auto: true },
  ],
  table: async ({ page, laboratory }, use) => use(new Table(page, laboratory)),
});

const moves = (page: Page): Locator => page.getByRole('group', { name: 'Moves', exact: true });

async function quiet(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('tabia.engine', JSON.stringify({ on: false })));
}

async function accessible(page: Page): Promise<void> {
  const found = (await new AxeBuilder({ page }).analyze()).violations;
  expect(found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`)).toEqual([]);
}

test('a newcomer plays Beginner in two clicks, loses, analyses, reads the reason, practises and shares it', async ({
  page,
  table,
  browser,
  laboratory,
}) => {
  await quiet(page);
  await page.goto(`${laboratory.url}/`);
  await page.getByText('Beginner', { exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(table.status).toContainText('Your move');
  await table.play('e2', 'e4', 'e4');
  await expect(table.moves.getByRole('button')).toHaveCount(2);

  // Another game, in which the queen is attacked: there are few good moves, and this is none of them.
  await page.goto(
    `${laboratory.url}/#/play?fen=${encodeURIComponent('r1bqkbnr/pppp1p1p/2n3p1/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 4')}`,
  );
  await page.getByText('Beginner', { exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(table.status).toContainText('Your move');
  // The server is gone while the move is made; it arrives when the server is back.
  await laboratory.stop('SIGKILL');
  await table.play('h5', 'e5', 'Qxe5+');
  await expect(page.getByText('Connection lost')).toBeVisible();
  await laboratory.start();
  await expect(table.moves.getByRole('button').nth(1)).toBeVisible();
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Resign?' }).click();
  await expect(table.status).toContainText('0-1');

  await page.getByRole('link', { name: 'Analyse', exact: true }).last().click();
  await expect(page.getByRole('heading', { name: /Human – Beginner \(600\) 0-1/ })).toBeVisible();
  await laboratory.stop('SIGKILL');
  await page.getByRole('button', { name: 'Analyse the game' }).click();
  const report = page.getByRole('tabpanel', { name: 'Game report' });
  await expect(report).toContainText('The server does not answer');
  await laboratory.start();
  await expect(report).toContainText('Accuracy');
  await report.getByRole('button', { name: /^4\. Qxe5\+\?\?/ }).click();
  const reasons = page.getByRole('tabpanel', { name: 'Reasons' });
  await expect(reasons).toContainText(/Qxe5\+\?\?.*queen/);
  await expect(page.locator('.cg-shapes g line')).not.toHaveCount(0);
  await accessible(page);

  await reasons.getByRole('link', { name: 'Practise it' }).click();
  await expect(page.getByText('Find the best move for White.')).toBeVisible();
  await table.click('a2');
  await table.click('a3');
  await expect(page.getByText('a3 is not it.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.getByRole('button', { name: 'Which piece?' }).click();
  await accessible(page);
  const best = await page.evaluate(() => {
    const [first] = JSON.parse(localStorage.getItem('tabia.mistakes') ?? '[]') as {
      accepted: { uci: string }[];
    }[];
    return first?.accepted[0]?.uci ?? '';
  });
  await table.click(best.slice(0, 2));
  await table.click(best.slice(2, 4));
  await expect(page.getByText('Right!').first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'Your mistakes' })).toContainText(/Qxe5\+\?\?.*queen/);

  await page.getByRole('link', { name: 'Analyse', exact: true }).last().click();
  await page.getByRole('button', { name: 'Share' }).click();
  const link = await page.getByLabel('Link to this position').inputValue();
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(moves(other).getByRole('button')).toHaveCount(1);
  await expect(other.locator(`[data-square="${best.slice(2, 4)}"]`).first()).toContainText('white queen');
  await other.close();
});

test('an author opens 300 games, edits a variation, and python-chess reads back the same trees', async ({
  page,
  laboratory,
}, info) => {
  await quiet(page);
  const games = Array.from({ length: 300 }, (_, index) =>
    [
      `[Event "Round ${index}"]\n[White "Player ${index}"]\n[Black "Other"]\n[Result "*"]`,
      '1. e4 {best by test} e5 (1... c5 $1 2. Nf3 (2. c3 d5 (2... Nf6 3. e5)) 2... d6) 2. Nf3 $14 Nc6 3. Bb5 a6 *',
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
  await moves(page).getByRole('button', { name: 'c3' }).click();
  await page.getByRole('button', { name: 'Promote', exact: true }).click();
  // Editing needs no server, and a reload without one loses nothing.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await expect.poll(() => page.evaluate(async () => (await caches.match('/')) !== undefined)).toBe(true);
  await laboratory.stop('SIGKILL');
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByLabel('Comment on c3').fill('the quiet way (see {above}');
  await page.getByLabel('Comment on c3').blur();
  await page.reload();
  await expect(page.getByText('300 games')).toBeVisible();
  await expect(moves(page)).toContainText('the quiet way');
  await laboratory.start();
  await page.getByRole('button', { name: 'Share' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download all 300 games' }).click();
  const path = await (await download).path();
  expect(readFileSync(path, 'utf8').split('\n\n').length).toBeGreaterThan(300);

  // The same edit made by python-chess on the games as they were.
  const original = info.outputPath('original.pgn');
  writeFileSync(original, games.join('\n\n'));
  const script = `
import chess.pgn, sys
def read(path):
    with open(path) as file:
        games = []
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors, game.errors
            games.append(game)
        return games
def tree(node):
    return (getattr(node, "move", None), sorted(node.nags), node.comment.strip(), [tree(child) for child in node.variations])
before, after = read(sys.argv[1]), read(sys.argv[2])
assert len(before) == len(after) == 300, (len(before), len(after))
sicilian = before[123].variations[0].variations[1]
sicilian.variations.reverse()
changed = after[123].variations[0].variations[1].variations[0]
assert changed.comment.startswith("the quiet way (see"), changed.comment
changed.comment = ""
for number, (one, two) in enumerate(zip(before, after)):
    assert tree(one) == tree(two), number
    assert dict(one.headers) == dict(two.headers), number
`;
  const read = spawnSync(python, ['-c', script, original, path], { encoding: 'utf8' });
  expect(read.stderr).toBe('');
  expect(read.status).toBe(0);
});

test("a researcher compares two evaluations' heatmaps of one position", async ({ page, laboratory }) => {
  await quiet(page);
  await page.goto(`${laboratory.url}/#/analyse?line=e2e4.e7e5.g1f3`);
  await page.getByRole('tab', { name: 'What each evaluation sees' }).click();
  const panel = page.getByRole('tabpanel', { name: 'What each evaluation sees' });
  await panel.getByRole('combobox', { name: 'Evaluation', exact: true }).selectOption('axiomx');
  await panel.getByRole('button', { name: 'control', exact: true }).click();
  await laboratory.stop('SIGKILL');
  await panel.getByLabel('Compare with another evaluation').check();
  await panel.getByRole('combobox', { name: 'Second evaluation' }).selectOption('axiomx-speed');
  await expect(page.locator('#main')).toContainText('does not answer');
  await expect(page.locator('.ground[data-field]').first()).toBeVisible();
  await laboratory.start();
  await expect(page.locator('.ground[data-field]')).toHaveCount(2);
  const colors = (index: number): Promise<string[]> =>
    page
      .locator('.ground[data-field]')
      .nth(index)
      .locator('.heat')
      .evaluateAll((squares) => squares.map((square) => (square as HTMLElement).style.backgroundColor));
  expect(await colors(0)).toHaveLength(64);
  expect(await colors(0)).not.toEqual(await colors(1));
  await page.keyboard.press('ArrowLeft');
  await expect(moves(page).getByRole('button', { name: 'e5' })).toHaveAttribute('aria-current', 'step');
  await expect(page.locator('.ground[data-field]')).toHaveCount(2);
  await accessible(page);
});

test('a researcher compares an evaluation with itself under other options', async ({ page, laboratory }) => {
  await quiet(page);
  await page.goto(`${laboratory.url}/#/analyse?line=e2e4.e7e5.g1f3`);
  await page.getByRole('tab', { name: 'What each evaluation sees' }).click();
  const panel = page.getByRole('tabpanel', { name: 'What each evaluation sees' });
  await panel.getByRole('combobox', { name: 'Evaluation', exact: true }).selectOption('axiomx');
  await panel.getByRole('button', { name: 'control', exact: true }).click();
  await panel.getByLabel('Compare with another evaluation').check();
  await expect(page.locator('.ground[data-field]')).toHaveCount(2);
  const colors = (index: number): Promise<string[]> =>
    page
      .locator('.ground[data-field]')
      .nth(index)
      .locator('.heat')
      .evaluateAll((squares) => squares.map((square) => (square as HTMLElement).style.backgroundColor));
  expect(await colors(0)).toEqual(await colors(1));
  await panel.getByText('Options', { exact: true }).last().click();
  await panel.getByLabel('kernels', { exact: true }).last().selectOption('code');
  await laboratory.stop('SIGKILL');
  await panel.getByLabel('multiscale', { exact: true }).last().fill('on');
  await panel.getByLabel('multiscale', { exact: true }).last().press('Enter');
  await laboratory.start();
  await expect(panel).toContainText('axiomx(kernels=code,multiscale=on)');
  await expect.poll(async () => (await colors(0)).join() !== (await colors(1)).join()).toBe(true);
  await accessible(page);
  await panel.getByRole('button', { name: 'Defaults' }).click();
  await expect.poll(async () => (await colors(0)).join() === (await colors(1)).join()).toBe(true);

  // Numbers have their range; what lies outside is not taken.
  await panel.getByRole('combobox', { name: 'Second evaluation' }).selectOption('axon');
  const style = panel.getByLabel('style', { exact: true });
  await expect(style).toHaveAttribute('max', '100');
  await expect(panel).toContainText('from positional to attacking (−100 to 100)');
  await style.fill('50');
  await style.press('Enter');
  await expect(panel).toContainText('axon(style=50)');
  await style.fill('500');
  await style.press('Enter');
  expect(await style.evaluate((field: HTMLInputElement) => field.validity.rangeOverflow)).toBe(true);
  await expect(panel).toContainText('axon(style=50)');
});

test('a match is set up, watched, stopped, resumed, and loses no game with its server', async ({
  page,
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
  await form.getByLabel('Games of each pairing').fill('100000');
  await form.getByLabel('Time control').selectOption('depth');
  await form.getByLabel('plies').fill('2');
  await form.getByLabel('Name of the match').fill('journey');
  await form.getByRole('button', { name: 'Start' }).click();
  const run = page.getByRole('region', { name: 'Run journey' });
  const played = async (): Promise<number> =>
    Number(/(\d+) of 100000 games/.exec(await run.innerText())?.[1] ?? 0);
  await expect.poll(played).toBeGreaterThan(0);
  await accessible(page);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  const before = await played();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(played).toBeGreaterThan(before);
  // A match ends with its server; what was played stays, and the next server resumes it.
  await laboratory.stop('SIGKILL');
  await expect(page.getByText('Connection lost')).toBeVisible();
  const known = await played();
  await laboratory.start();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect.poll(played).toBeGreaterThan(known);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
});

test('a quantum game is learned, played and analysed, and outlives its server without a reload', async ({
  page,
  table,
  laboratory,
}) => {
  await page.goto(`${laboratory.url}/#/quantum`);
  await page.getByRole('link', { name: 'Learn it in five positions' }).click();
  await expect(page.getByText('Split the knight from b1 to c3.')).toBeVisible();
  await accessible(page);
  await page.getByRole('link', { name: 'Leave the lesson' }).click();
  await page.getByText('More opponents and options').click();
  await page.getByLabel('Who plays Black').selectOption('greedy');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(table.status).toContainText('Your move');
  const click = async (square: string): Promise<void> => {
    const box = await page.locator('.quantum-board').boundingBox();
    if (!box) throw new Error('there is no board');
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
    await page.mouse.click(box.x + ((file + 0.5) * box.width) / 8, box.y + ((7.5 - rank) * box.height) / 8);
  };
  const story = page.getByRole('list', { name: 'Moves and measurements' });
  await page.getByRole('button', { name: 'Split', exact: true }).click();
  await click('g1');
  await click('f3');
  await page.getByRole('button', { name: 'Split (50%)' }).click();
  await expect(story.getByRole('button')).toHaveCount(2);

  await laboratory.stop('SIGKILL');
  await expect(table.status).toContainText('Connection lost');
  await expect(table.square('f3')).toContainText('white knight 50%');
  // A move that nobody takes is told, and can be made again.
  await click('e2');
  await click('e4');
  await page.getByRole('button', { name: /^Move/ }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The server does not answer' })).toBeVisible();
  await laboratory.start();
  await expect(table.status).toContainText('Your move');
  await expect(story.getByRole('button')).toHaveCount(2);
  await click('e2');
  await click('e4');
  await page.getByRole('button', { name: /^Move/ }).click();
  await expect(story.getByRole('button')).toHaveCount(4);

  // The game is analysed when it is over, at a position of it.
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Resign?' }).click();
  await expect(table.status).toContainText('Black wins: White resigned');
  await story.getByRole('button').nth(1).click();
  await expect(page.getByText('After ply 2 of 4.')).toBeVisible();
  // Opened by its address while the server is away, it appears when the server is back.
  const address = page.url();
  await page.getByRole('link', { name: 'Lab', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Runs' })).toContainText('Nothing here yet');
  await laboratory.stop('SIGKILL');
  await page.goto(address);
  await expect(page.locator('#main').getByRole('alert').first()).toContainText('The server does not answer');
  await laboratory.start();
  await expect(story.getByRole('button')).toHaveCount(4);
  await story.getByRole('button').nth(1).click();
  await expect(page.getByText('After ply 2 of 4.')).toBeVisible();
  await laboratory.stop('SIGKILL');
  await page.getByRole('button', { name: 'Analyse the position' }).click();
  await expect(page.locator('#main')).toContainText('The server does not answer');
  await laboratory.start();
  await page.getByRole('button', { name: 'Analyse the position' }).click();
  await expect(page.getByRole('columnheader', { name: 'Win / draw / loss' })).toBeVisible();
  await accessible(page);
});

test('a run is watched and a match set up while the server dies and comes back', async ({
  page,
  laboratory,
}) => {
  const metrics = ['first', 'second'].map((name) => {
    const folder = join(laboratory.data, 'runs', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'manifest.toml'),
      'format = 1\nversion = "0.1.0"\nkind = "evolve"\n[settings]\nseed = 7\n',
    );
    const file = join(folder, 'metrics.jsonl');
    writeFileSync(file, '{"generation":1,"best":0.5}\n');
    return file;
  });
  await page.goto(`${laboratory.url}/#/lab/first`);
  const best = page.getByRole('img', { name: 'best by generation' });
  const diversity = page.getByRole('img', { name: 'diversity by generation' });
  const run = page.getByRole('region', { name: /^Run / });
  const second = page.getByRole('region', { name: 'Runs' }).getByRole('link', { name: /second/ });
  await expect(best).toBeVisible();
  await expect(second).toBeVisible();

  // What is known stays on the page; what the run wrote meanwhile comes with the server.
  await laboratory.stop('SIGKILL');
  await expect(run).toContainText('Connection lost');
  await expect(best).toBeVisible();
  appendFileSync(metrics[0] ?? '', '{"generation":2,"best":0.7,"diversity":3}\n');
  await laboratory.start();
  await expect(diversity).toBeVisible();
  await expect(run).not.toContainText('Connection lost');

  // Another run, gone to while nobody answers, says so and then appears.
  await laboratory.stop('SIGKILL');
  await expect(run).toContainText('Connection lost');
  await second.click();
  await expect(page.locator('#main')).toContainText('The server does not answer');
  await accessible(page);
  // A run that was written to within the last minute counts as running.
  utimesSync(metrics[1] ?? '', new Date(), new Date());
  await laboratory.start();
  await expect(page.getByRole('region', { name: 'Run second' })).toContainText('running');
  await expect(best).toBeVisible();
  await expect(page.getByText('The server does not answer')).toHaveCount(0);

  // A form keeps what was typed, and can be sent again.
  await page.goto(`${laboratory.url}/#/arena?new`);
  const form = page.getByRole('form', { name: 'New match' });
  for (const player of ['Player 1', 'Player 2']) {
    await form.getByRole('group', { name: player }).getByRole('combobox').first().selectOption('random');
  }
  await form.getByLabel('Name of player 2').fill('other');
  await form.getByLabel('Games of each pairing').fill('2');
  await laboratory.stop('SIGKILL');
  await form.getByLabel('Time control').selectOption('depth');
  await form.getByLabel('plies').fill('1');
  await form.getByLabel('Name of the match').fill('after all');
  await form.getByRole('button', { name: 'Start' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'The server does not answer' }).last(),
  ).toBeVisible();
  await laboratory.start();
  await expect(form.getByLabel('Name of player 2')).toHaveValue('other');
  await form.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('region', { name: 'Run after-all' })).toContainText('random against other');
});

test('a form half filled outlives a reload without its server', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/#/arena?new`);
  const form = page.getByRole('form', { name: 'New match' });
  await form.getByRole('group', { name: 'Player 1' }).getByRole('combobox').first().selectOption('random');
  await form.getByLabel('Name of player 1').fill('first');
  await form.getByLabel('Name of the match').fill('half');
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await expect.poll(() => page.evaluate(async () => (await caches.match('/')) !== undefined)).toBe(true);
  await laboratory.stop('SIGKILL');
  await page.reload();
  await expect(page.locator('#main')).toContainText('as soon as the server answers');
  await laboratory.start();
  await expect(form.getByLabel('Name of player 1')).toHaveValue('first');
  await expect(form.getByLabel('Name of the match')).toHaveValue('half');
  await expect(form.getByRole('group', { name: 'Player 1' }).getByRole('combobox').first()).toHaveValue(
    'random',
  );
});

test('the quantum lesson goes on where it was when its server died', async ({ page, table, laboratory }) => {
  await page.goto(`${laboratory.url}/#/quantum/lesson`);
  const board = page.locator('.quantum-board');
  const click = async (square: string): Promise<void> => {
    const box = await board.boundingBox();
    if (!box) throw new Error('there is no board');
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
    await page.mouse.click(box.x + ((file + 0.5) * box.width) / 8, box.y + ((7.5 - rank) * box.height) / 8);
  };
  const split = async (): Promise<void> => {
    await click('b1');
    await click('c3');
    await page.getByRole('button', { name: 'Split (50%)' }).click();
  };
  const solved = page.getByTestId('feedback');
  await page.getByRole('button', { name: 'Split', exact: true }).click();

  // A move that nobody takes is told, and can be made again.
  await expect(table.square('b1')).toContainText('white knight');
  await laboratory.stop('SIGKILL');
  await split();
  await expect(page.locator('#main')).toContainText('The server does not answer');
  await expect(table.square('b1')).toContainText('white knight');
  await laboratory.start();
  await split();
  await expect(solved).toHaveClass(/solved/);

  // What was done stays done; the next position comes with the server, and the board is never empty.
  await laboratory.stop('SIGKILL');
  await expect(solved).toBeVisible();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^2\. / })).toBeVisible();
  await expect(page.locator('#main')).toContainText('The server does not answer');
  await expect(board).toBeVisible();
  await accessible(page);
  await laboratory.start();
  await expect(page.getByText('The server does not answer')).toHaveCount(0);
  await expect(table.square('c3')).toContainText('white knight 50%');

  // A reload begins at the first position that is not done.
  await laboratory.stop('SIGKILL');
  await laboratory.start();
  await page.reload();
  await expect(page.getByRole('heading', { name: /^2\. / })).toBeVisible();
  await expect(table.square('c3')).toContainText('white knight 50%');
});

test('exercises need no server', async ({ page, table, laboratory }) => {
  await page.goto(`${laboratory.url}/#/practise`);
  await page.getByLabel('A file of puzzles').setInputFiles({
    name: 'puzzles.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'PuzzleId,FEN,Moves,Rating,Themes\none,7k/5ppp/8/8/1p6/8/8/R5K1 b - - 0 1,b4b3 a1a8,900,mate backRankMate\n',
    ),
  });
  await expect(page.getByText('1 puzzle, 0 solved.')).toBeVisible();
  await laboratory.stop('SIGKILL');
  await page.getByRole('region', { name: 'Puzzles' }).getByRole('link', { name: 'Begin' }).click();
  await expect(page.getByText('Find the best move for White.')).toBeVisible();
  await table.click('a1');
  await table.click('a8');
  await expect(page.getByText('Right!').first()).toBeVisible();
  await laboratory.start();
  await page.reload();
  await page.goto(`${laboratory.url}/#/practise`);
  await expect(page.getByText('1 puzzle, 1 solved.')).toBeVisible();
  await accessible(page);
});

test('a whole analysis without a mouse', async ({ page, laboratory }) => {
  await quiet(page);
  await page.goto(`${laboratory.url}/#/analyse`);
  await expect(page.locator('cg-board')).toBeVisible();
  /** Goes on with Tab until the focus is where it should be. */
  const tabTo = async (target: Locator): Promise<void> => {
    for (let step = 0; step < 150; step += 1) {
      if (await target.evaluate((element) => element === document.activeElement).catch(() => false)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${target}`);
  };
  await tabTo(page.getByRole('button', { name: 'Open…' }));
  await page.keyboard.press('Enter');
  await tabTo(page.getByLabel('PGN (one game or many), replay or FEN'));
  await page.keyboard.insertText(
    '[White "Ada"]\n[Black "Babbage"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0',
  );
  await tabTo(page.getByRole('button', { name: 'Open', exact: true }));
  await page.keyboard.press('Enter');
  /** What a screen reader says: the page's live region. */
  const heard = page.locator('[aria-live="polite"]');
  await expect(heard).toHaveText('First position');
  await tabTo(page.getByRole('button', { name: 'Analyse the game' }));
  await laboratory.stop('SIGKILL');
  await page.keyboard.press('Enter');
  await expect(heard).toContainText('The server is away.');
  await laboratory.start();
  const report = page.getByRole('tabpanel', { name: 'Game report' });
  await expect(report).toContainText('Accuracy');
  await expect(heard).toHaveText(/^The game is analysed\. Accuracy: White \d+ percent, Black \d+ percent\.$/);
  await tabTo(report.getByRole('button', { name: /^3… Nf6\?\?/ }));
  await page.keyboard.press('Enter');
  await expect(heard).toHaveText('Move 3, Black knight f6, Blunder, White mates in 1');
  await page.keyboard.press('ArrowRight');
  await expect(heard).toHaveText('Move 4, White queen takes f7, checkmate, Checkmate. White wins.');
  await page.keyboard.press('ArrowLeft');
  const reasons = page.getByRole('tabpanel', { name: 'Reasons' });
  await expect(reasons).toContainText('allows mate in 1');
  // The better line: along it with the arrows, and into the game with Enter.
  await tabTo(reasons.locator('dd').first().getByRole('button').first());
  await expect(page.getByRole('img', { name: 'Position after the move' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(moves(page)).toContainText('(3…');
  await page.keyboard.press('ArrowLeft');
  await accessible(page);
});

test('the page opens though the server is away, once it has been here', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/#/analyse`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await expect.poll(() => page.evaluate(async () => (await caches.match('/')) !== undefined)).toBe(true);
  await laboratory.stop('SIGKILL');
  await page.reload();
  await expect(page.locator('cg-board piece')).toHaveCount(32);
  const engine = page.getByRole('region', { name: 'Engine' });
  await expect(engine).toContainText('The server does not answer');
  for (const name of ['Practise', 'Arena', 'Quantum', 'Lab', 'Play']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.locator('#main')).toContainText(/\w{4}/);
  }
  await page.getByRole('link', { name: 'Analyse' }).click();
  await laboratory.start();
  await expect(engine.getByRole('listitem').first()).toContainText('1.');
});
