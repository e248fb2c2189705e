import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import type { Laboratory } from './laboratory';

interface Setting {
  white?: string;
  black?: string;
  position?: string;
  seed?: number;
}

/** The knight is on d5 or on f6; seeds by what the queen's capture shows. */
const ask = 'w 1 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -';

async function sit(page: Page, laboratory: Laboratory, setting: Setting = {}): Promise<string> {
  const response = await page.request.post(`${laboratory.url}/api/v1/quantum/games`, {
    data: { white: 'human', black: 'human', ...setting },
  });
  expect(response.status()).toBe(201);
  const { id } = (await response.json()) as { id: string };
  await page.goto(`${laboratory.url}/#/quantum/${id}`);
  await expect(page.getByTestId('status')).toContainText('move');
  return id;
}

async function point(page: Page, square: string): Promise<{ x: number; y: number }> {
  const box = await page.locator('.quantum-board').boundingBox();
  if (!box) throw new Error('there is no board');
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
  return { x: box.x + ((file + 0.5) * box.width) / 8, y: box.y + ((7.5 - rank) * box.height) / 8 };
}

async function click(page: Page, square: string): Promise<void> {
  const { x, y } = await point(page, square);
  await page.mouse.click(x, y);
}

const square = (page: Page, name: string) => page.locator(`[data-square="${name}"]`).first();
const story = (page: Page) => page.getByRole('list', { name: 'Moves and measurements' });

async function clean(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`)).toEqual([]);
}

test('a split with Shift: the chance before, two places and two branches after', async ({
  page,
  laboratory,
  complaints,
}) => {
  await sit(page, laboratory);
  await page.keyboard.down('Shift');
  await click(page, 'b1');
  await click(page, 'c3');
  await page.keyboard.up('Shift');
  await expect(page.getByTestId('odds')).toHaveText('succeeds 50%, made and not made at once');
  await page.getByRole('button', { name: 'Split (50%)' }).click();
  await expect(square(page, 'c3')).toContainText('white knight 50%');
  await expect(square(page, 'b1')).toContainText('white knight 50%');
  await expect(page.getByRole('heading', { name: '2 branches' })).toBeVisible();
  await expect(story(page)).toContainText('1. b1~c3');

  // A branch alone, and what depends on the knight.
  await page.getByRole('button', { name: /^Branch 1/ }).focus();
  await expect(square(page, 'c3')).not.toContainText('50%');
  await page.getByRole('button', { name: /^Branch 1/ }).blur();
  const { x, y } = await point(page, 'c3');
  await page.mouse.move(x, y);
  await expect(page.getByRole('region', { name: 'Entanglement' })).toContainText(
    'white knight on b1: 0% if so, 100% if not',
  );
  await expect(page.locator('.quantum-board .linked')).toHaveCount(1);

  // By hand moves can be taken back.
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByRole('heading', { name: '1 branch' })).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a mouse that rests on a piece does not split: it has Shift', async ({ page, laboratory }) => {
  await sit(page, laboratory);
  const { x, y } = await point(page, 'g1');
  await page.mouse.move(x, y);
  await page.mouse.down();
  // Longer than a finger would have to.
  await page.waitForTimeout(600);
  await page.mouse.up();
  await click(page, 'f3');
  await expect(story(page)).toContainText('1. g1f3');
  await expect(page.getByRole('heading', { name: '1 branch' })).toBeVisible();
});

for (const { seed, words } of [
  { seed: 1, words: /^measured: (the knight was not on d5|d1d5 took the knight): 50%$/ },
  { seed: 2, words: /^measured: (the knight was not on d5|d1d5 took the knight): 50%$/ },
]) {
  test(`a measurement is seen and told in words, seed ${seed}`, async ({ page, laboratory, complaints }) => {
    const id = await sit(page, laboratory, { position: ask, seed });
    await click(page, 'd1');
    await click(page, 'd5');
    await expect(page.getByTestId('odds')).toHaveText('succeeds 100%, captures 50%, measured');
    await page.getByRole('button', { name: 'Capture (50%)' }).click();
    await expect(page.getByTestId('measured')).toHaveText(words);
    await expect(story(page)).toContainText('50%');
    await expect(page.getByRole('status')).toContainText('measured');
    await expect(page.getByRole('heading', { name: '1 branch' })).toBeVisible();
    const response = await page.request.get(`${laboratory.url}/api/v1/quantum/games/${id}`);
    const game = (await response.json()) as { moves: { text: string; measured: { words: string }[] }[] };
    await expect(page.getByTestId('measured')).toContainText(game.moves[0]?.measured[0]?.words ?? '?');
    expect(complaints).toEqual([]);
  });
}

test('a king taken in every branch wins', async ({ page, laboratory, complaints }) => {
  await sit(page, laboratory, { position: '6k1/8/8/8/8/8/6Q1/7K w - - 0 1' });
  await click(page, 'g2');
  await click(page, 'g8');
  await expect(page.getByTestId('odds')).toContainText('takes the king and wins 100%');
  await page.getByRole('button', { name: 'Take the king (100%)' }).click();
  await expect(page.getByTestId('status')).toContainText('White wins by king captured');
  expect(complaints).toEqual([]);
});

test('a game against an agent goes on after a reload, and after a restart', async ({
  page,
  laboratory,
  complaints,
}) => {
  await page.goto(`${laboratory.url}/#/quantum`);
  await page.getByText('More opponents and options').click();
  await page.getByLabel('Who plays Black').selectOption('greedy');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByTestId('status')).toContainText('Your move');
  await page.getByRole('button', { name: 'Split', exact: true }).click();
  await click(page, 'g1');
  await click(page, 'f3');
  await page.getByRole('button', { name: 'Split (50%)' }).click();
  await expect(story(page).getByRole('button')).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Take back' })).toHaveCount(0);
  await page.reload();
  await expect(story(page).getByRole('button')).toHaveCount(2);
  await expect(square(page, 'f3')).toContainText('white knight 50%');
  await laboratory.stop('SIGKILL');
  await laboratory.start();
  await page.reload();
  await expect(square(page, 'f3')).toContainText('white knight 50%');
  await expect(page.getByTestId('status')).toContainText('Your move');
  // The story goes back to any position.
  await story(page).getByRole('button').first().click();
  await expect(page.getByText('After ply 1 of 2.')).toBeVisible();
  expect(complaints.filter((text) => !/ERR_|Failed to load/.test(text))).toEqual([]);
  complaints.length = 0;
});

test('a split and a move by keyboard alone', async ({ page, laboratory, complaints }) => {
  await sit(page, laboratory);
  await square(page, 'e2').focus();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('s', 'Enter', 'ArrowUp', 'ArrowUp');
  await expect(square(page, 'e4')).toContainText('can go here, succeeds 50%');
  await press('Enter');
  await expect(page.getByRole('button', { name: 'Split (50%)' })).toBeFocused();
  await press('Enter');
  await expect(square(page, 'e4')).toContainText('white pawn 50%');
  await press('s');
  await square(page, 'e7').focus();
  await press('Enter', 'ArrowDown', 'Enter');
  await expect(square(page, 'e6')).toContainText('black pawn');
  await expect(story(page).getByRole('button')).toHaveCount(2);
  expect(complaints).toEqual([]);
});

test('a position is copied and pasted, and what is wrong with one is said', async ({
  page,
  laboratory,
  complaints,
}) => {
  await page.goto(`${laboratory.url}/#/quantum`);
  await page.getByText('More opponents and options').click();
  await page.getByLabel('Who plays Black').selectOption('');
  const text = page.getByLabel('Start from a position');
  await text.fill('w 0 1: 1*7k/8/8/8/8/8/8/7K - - + 1*7k/8/7/8/8/8/8/7K - -');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('alert')).toContainText('Branch 2: rank 6 has 7 squares, expected 8');
  await text.fill(ask);
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByRole('heading', { name: '2 branches' })).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy position' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(ask);
  complaints.length = 0;
});

test('an opponent is chosen by its level, and called by its name', async ({
  page,
  laboratory,
  complaints,
}) => {
  await page.goto(`${laboratory.url}/#/quantum`);
  const level = (name: string) => page.getByRole('radio', { name, exact: true });
  await expect(level('Club')).toBeChecked();
  await page.getByText('More opponents and options').click();
  await expect(page.getByLabel('Who plays Black')).toHaveValue('net');
  await page.getByText('Novice', { exact: true }).click();
  await expect(page.getByLabel('Who plays Black')).toHaveValue('mcts');
  // An agent of one's own is no level.
  await page.getByLabel('Who plays Black').selectOption('random');
  await expect(level('Novice')).not.toBeChecked();
  // The level plays the side that no person has.
  await page.getByRole('button', { name: 'Swap sides' }).click();
  await page.getByText('Beginner', { exact: true }).click();
  await expect(page.getByLabel('Who plays White')).toHaveValue('greedy');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByTestId('status')).toContainText('Your move');
  await expect(page.getByText(/White:\s*Beginner/)).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a person chooses a colour, or leaves it to chance', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/#/quantum`);
  const color = (name: string) =>
    page.getByRole('radiogroup', { name: 'Your colour' }).getByRole('radio', { name, exact: true });
  const form = page.getByRole('form', { name: 'New game of quantum chess' });
  await expect(color('White')).toBeChecked();
  await form.getByTitle('Black', { exact: true }).click();
  await page.getByText('More opponents and options').click();
  await expect(page.getByLabel('Who plays White')).toHaveValue('net');
  await expect(page.getByLabel('Who plays Black')).toHaveValue('');
  // Where people play both sides, or agents, no colour is anybody's; one that is chosen gives the other to an agent.
  await page.getByLabel('Who plays White').selectOption('');
  for (const name of ['White', 'Random colour', 'Black']) await expect(color(name)).not.toBeChecked();
  await form.getByTitle('White', { exact: true }).click();
  await expect(page.getByLabel('Who plays Black')).toHaveValue('net');
  await page.getByText('Beginner', { exact: true }).click();
  await form.getByTitle('Random colour').click();
  // Chance takes the side that is not shown.
  await page.evaluate(() => (Math.random = () => 0));
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByText(/White:\s*Beginner/)).toBeVisible();
  await expect(page.getByTestId('status')).toContainText('Your move');
  // The choice is remembered.
  await page.goto(`${laboratory.url}/#/quantum`);
  await expect(color('Random colour')).toBeChecked();
  await expect(page.getByRole('radio', { name: 'Beginner', exact: true })).toBeChecked();
  // Sides that are given to players one by one are meant as they are.
  await page.getByText('More opponents and options').click();
  await page.getByLabel('Who plays White').selectOption('greedy');
  await page.getByLabel('Who plays Black').selectOption('greedy');
  await page.getByLabel('Who plays White').selectOption('');
  await expect(color('White')).toBeChecked();
});

for (const width of [320, 390, 1366]) {
  test(`the levels fill their rows, ${width} pixels`, async ({ page, laboratory }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${laboratory.url}/#/quantum`);
    const levels = page.getByRole('radiogroup', { name: 'Your opponent' }).locator('label');
    await expect(levels).toHaveCount(7);
    const right = async (index: number): Promise<number> => {
      const box = await levels.nth(index).boundingBox();
      return Math.round((box?.x ?? 0) + (box?.width ?? 0));
    };
    const ends = await Promise.all(Array.from({ length: 7 }, (_, index) => right(index)));
    expect(ends[6]).toBe(Math.max(...ends));
  });
}

test('in German every agent is described in German', async ({ page, laboratory }) => {
  await page.addInitScript(() => localStorage.setItem('tabia.settings', JSON.stringify({ language: 'de' })));
  const answer = await page.request.get(`${laboratory.url}/api/v1/agents?variant=quantum`);
  const { agents } = (await answer.json()) as { agents: { name: string; summary: string }[] };
  await page.goto(`${laboratory.url}/#/quantum`);
  await page.getByText('Weitere Gegner und Optionen').click();
  const black = page.getByRole('group', { name: 'Schwarz' });
  for (const { name, summary } of agents) {
    await black.getByRole('combobox').first().selectOption(name);
    await expect(black.getByRole('paragraph')).toBeVisible();
    await expect(black).not.toContainText(summary);
  }
});

test('two agents play while one watches', async ({ page, laboratory, complaints }) => {
  await sit(page, laboratory, { white: 'human' });
  await page.getByRole('button', { name: 'New game' }).click();
  await page.getByText('More opponents and options').click();
  await page.getByLabel('Who plays White').selectOption('greedy');
  await page.getByLabel('Who plays Black').selectOption('random');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByTestId('status')).toContainText(/wins|draw/i, { timeout: 200_000 });
  await page.getByRole('button', { name: 'Flip' }).click();
  expect(complaints).toEqual([]);
});

test('a whole game is played, replayed, and opened again from its file', async ({
  page,
  laboratory,
  complaints,
}) => {
  // A split, a measurement, and the king: every kind of ply.
  const id = await sit(page, laboratory, { position: 'w 0 1: 1*6k1/8/8/8/8/8/5nQ1/7K - -', seed: 3 });
  await page.getByRole('button', { name: 'Split', exact: true }).click();
  await click(page, 'g2');
  await click(page, 'g7');
  await page.getByRole('button', { name: 'Split (50%)' }).click();
  await expect(page.getByRole('heading', { name: '2 branches' })).toBeVisible();
  await page.getByRole('button', { name: 'Split', exact: true }).click();
  await click(page, 'g8');
  await click(page, 'g7');
  await page.getByRole('button', { name: 'Capture (50%)' }).click();
  await expect(page.getByTestId('measured')).toHaveText(/^measured: .*50%$/);
  const game = async () => {
    const response = await page.request.get(`${laboratory.url}/api/v1/quantum/games/${id}`);
    return (await response.json()) as { moves: { text: string }[]; legal: { move: string; win: number }[] };
  };
  // Whatever was measured, White ends the game: by taking the king if it can, else by resigning.
  const taken = (await game()).legal.find(({ win }) => win === 1)?.move;
  if (taken) {
    await click(page, taken.slice(0, 2));
    await click(page, taken.slice(2, 4));
    await page.getByRole('button', { name: 'Take the king (100%)' }).click();
  } else {
    await page.getByRole('button', { name: 'Resign' }).click();
    await page.getByRole('button', { name: 'Resign?' }).click();
  }
  await expect(page.getByTestId('status')).toContainText(/wins/);
  const played = (await game()).moves.map(({ text }) => text);

  // Back to the start, and forward step by step, with the probabilities of each position.
  await page.getByRole('button', { name: 'First position' }).click();
  await expect(page.getByText(`After ply 0 of ${played.length}.`)).toBeVisible();
  await expect(square(page, 'g2')).toContainText('white queen');
  await page.getByRole('button', { name: 'Next move' }).click();
  await expect(square(page, 'g7')).toContainText('white queen 50%');
  await expect(page.getByRole('heading', { name: '2 branches' })).toBeVisible();
  await page.getByRole('button', { name: 'First position' }).click();
  await page.getByLabel('every').selectOption('0.3 s');
  await page.getByRole('button', { name: 'Play back' }).click();
  await expect(page.getByText(/^After ply/)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Play back' })).toBeVisible();

  // The file comes back as the same game.
  const record = await page.request.get(`${laboratory.url}/api/v1/quantum/games/${id}/replay`);
  await page.goto(`${laboratory.url}/#/quantum`);
  const file = { name: 'game.json', mimeType: 'application/json', buffer: Buffer.from(await record.text()) };
  await page.getByLabel('Open a recorded game').last().setInputFiles(file);
  await expect(page.getByTestId('status')).toContainText(/wins/);
  await expect(story(page).getByRole('button')).toHaveCount(played.length);
  await page.getByRole('button', { name: 'First position' }).click();
  await page.getByRole('button', { name: 'Analyse the position' }).click();
  await expect(page.getByRole('table')).toContainText('g2g8');
  expect(complaints).toEqual([]);

  // One that cannot have been played is refused with the ply.
  await page.goto(`${laboratory.url}/#/quantum`);
  const wrong = { ...(JSON.parse(await record.text()) as object), moves: ['g2~g7', 'g8g7'] };
  await page
    .getByLabel('Open a recorded game')
    .last()
    .setInputFiles({ ...file, buffer: Buffer.from(JSON.stringify(wrong)) });
  await expect(page.getByRole('alert')).toContainText('Move 2 of the list: g8g7 measures whether');
  complaints.length = 0;
});

/** Each position of the lesson is a game that the server begins; until then the board takes no move. */
async function begun(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Split', exact: true })).toBeVisible();
}

/** The first three tasks, done. */
async function learn(page: Page): Promise<void> {
  const task = page.getByTestId('task');
  const feedback = page.getByTestId('feedback');
  const next = page.getByRole('button', { name: 'Next' });
  await expect(task).toContainText('Split the knight');
  await begun(page);
  await click(page, 'b1');
  await click(page, 'c3');
  await expect(feedback).toContainText('That was another move');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(feedback).toHaveCount(0);
  await page.getByRole('button', { name: 'Split', exact: true }).click();
  await click(page, 'b1');
  await click(page, 'c3');
  await page.getByRole('button', { name: 'Split (50%)' }).click();
  await expect(feedback).toContainText('There are 2 branches now');
  await next.click();
  await expect(task).toContainText('Make it one board again');
  await begun(page);
  await click(page, 'c3');
  await click(page, 'b1');
  await page.getByRole('button', { name: 'Move (50%)' }).click();
  await expect(feedback).toContainText('one branch, and nothing was measured');
  await next.click();
  await expect(task).toContainText('Move the queen to d5');
  await begun(page);
  await click(page, 'd1');
  await click(page, 'd5');
  await page.getByRole('button', { name: 'Capture (50%)' }).click();
  await expect(page.getByTestId('measured')).toContainText(/measured: .*50%/);
  await expect(feedback).toContainText(/taken|all along/);
}

test('the lesson to its end, with its progress kept', async ({ page, laboratory, complaints }) => {
  await page.goto(`${laboratory.url}/#/quantum`);
  await page.getByRole('link', { name: 'Learn it in five positions' }).click();
  await learn(page);
  await page.reload();
  await expect(page.getByTestId('task')).toContainText('past a5');
  await expect(page.getByRole('button', { name: 'Step 1: Split, done' })).toBeEnabled();
  await begun(page);
  await click(page, 'a1');
  await click(page, 'a7');
  await page.getByRole('button', { name: 'Move (50%)' }).click();
  await expect(page.getByTestId('feedback')).toContainText('still on a1 where the knight is on a5');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByTestId('task')).toContainText('for certain');
  await begun(page);
  await click(page, 'h5');
  await click(page, 'e8');
  await expect(page.getByTestId('odds')).toContainText('takes the king and wins 50%');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await click(page, 'c7');
  await click(page, 'e8');
  await page.getByRole('button', { name: 'Take the king (100%)' }).click();
  await expect(page.getByTestId('feedback')).toContainText('Won without a measurement');
  await expect(page.getByTestId('finished')).toBeVisible();
  expect(complaints).toEqual([]);
});

for (const theme of ['light', 'dark', 'terminal'] as const) {
  test.describe(`in ${theme} nothing shuts people out`, () => {
    test.beforeEach(async ({ page }) => {
      await page.addInitScript(
        (look) => localStorage.setItem('tabia.settings', JSON.stringify({ theme: look })),
        theme,
      );
    });

    test('of a new game of quantum chess', async ({ page, laboratory, complaints }) => {
      await page.goto(`${laboratory.url}/#/quantum`);
      await expect(page.getByRole('button', { name: 'Start' })).toBeVisible();
      await clean(page);
      expect(complaints).toEqual([]);
    });

    test('of a game of quantum chess with a move to confirm', async ({ page, laboratory, complaints }) => {
      await sit(page, laboratory, { position: ask });
      await click(page, 'd1');
      await click(page, 'd5');
      await expect(page.getByTestId('odds')).toBeVisible();
      await clean(page);
      expect(complaints).toEqual([]);
    });

    test('of the lesson', async ({ page, laboratory, complaints }) => {
      await page.goto(`${laboratory.url}/#/quantum/lesson`);
      await expect(page.getByTestId('task')).toBeVisible();
      await clean(page);
      expect(complaints).toEqual([]);
    });
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('everything up to the button that starts a game is in view', async ({ page, laboratory }) => {
    await page.goto(`${laboratory.url}/#/quantum`);
    await expect(page.getByRole('button', { name: 'Start' })).toBeInViewport({ ratio: 1 });
  });

  test('a long press splits, and everything fits the width', async ({ page, laboratory, complaints }) => {
    await sit(page, laboratory);
    const box = await page.locator('.quantum-board').boundingBox();
    expect(box?.width ?? 0).toBeGreaterThan(340);
    const { x, y } = await point(page, 'g1');
    // A finger that rests: Playwright's own only taps.
    const finger = await page.context().newCDPSession(page);
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    await expect(page.locator('.quantum-board.splitting')).toBeVisible();
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    const to = await point(page, 'f3');
    await page.touchscreen.tap(to.x, to.y);
    await page.getByRole('button', { name: 'Split (50%)' }).tap();
    await expect(square(page, 'f3')).toContainText('white knight 50%');
    for (const address of ['#/quantum', '#/quantum/lesson']) {
      await page.goto(`${laboratory.url}/${address}`);
      await expect(page.getByRole('main').getByRole('button').first()).toBeVisible();
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(excess, address).toBeLessThanOrEqual(0);
    }
    expect(complaints).toEqual([]);
  });
});
