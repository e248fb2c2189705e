import AxeBuilder from '@axe-core/playwright';
import type { Page, Request } from '@playwright/test';
import { contrast, range, rgb } from './colours';
import { expect, test } from './fixtures';

const pages = ['play', 'analyse', 'practise', 'arena', 'quantum', 'lab'] as const;
const themes = ['light', 'dark', 'terminal'] as const;

async function prefer(page: Page, settings: Record<string, unknown>): Promise<void> {
  await page.addInitScript((kept) => localStorage.setItem('tabia.settings', JSON.stringify(kept)), settings);
}

async function violations(page: Page): Promise<string[]> {
  const found = (await new AxeBuilder({ page }).analyze()).violations;
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' ')}`);
}

const look = (page: Page) => page.locator('html');

for (const scheme of ['light', 'dark'] as const) {
  test(`the look is ${scheme} where the system is`, async ({ page, laboratory }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(`${laboratory.url}/`);
    await expect(look(page)).toHaveAttribute('data-theme', scheme);
    await expect(page.locator('.ground .square').first()).toHaveCSS('background-color', 'rgb(236, 218, 185)');
    const family = await page.evaluate(() => getComputedStyle(document.body).fontFamily);
    expect(family).not.toContain('Courier');
  });
}

test('the look follows the system while the page is open', async ({ page, laboratory }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${laboratory.url}/`);
  await expect(look(page)).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(look(page)).toHaveAttribute('data-theme', 'dark');
});

test('the terminal is one choice away, and remembered', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/`);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: 'Theme', exact: true }).selectOption('Terminal');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(look(page)).toHaveAttribute('data-theme', 'terminal');
  await expect(page.locator('.ground .square').first()).toHaveCSS('background-color', 'rgb(51, 51, 51)');
  await page.reload();
  await expect(look(page)).toHaveAttribute('data-theme', 'terminal');
});

test('an address can ask for the terminal', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/?theme=terminal#/play`);
  await expect(look(page)).toHaveAttribute('data-theme', 'terminal');
  await expect(look(page)).toHaveCSS('background-color', 'rgb(0, 0, 0)');
});

test('board, pieces, coordinates and language are settings', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/`);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('combobox', { name: 'Board', exact: true }).selectOption('Slate');
  await expect(page.locator('.ground .square').first()).toHaveCSS('background-color', 'rgb(221, 227, 231)');
  await page.getByRole('combobox', { name: 'Pieces', exact: true }).selectOption('Tabia');
  await expect(look(page)).toHaveAttribute('data-pieces', 'tabia');
  await page.getByLabel('Coordinates').uncheck();
  await expect(page.locator('.ground .rank')).toHaveCount(0);
  await page.getByRole('combobox', { name: 'Language', exact: true }).selectOption('Deutsch');
  await expect(page.getByRole('heading', { name: 'Einstellungen' })).toBeVisible();
  await expect(look(page)).toHaveAttribute('lang', 'de');
  await page.getByRole('button', { name: 'Schließen' }).click();
  await expect(page.getByRole('link', { name: 'Spielen', exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Dein Gegner' })).toBeVisible();
});

test('the question mark lists the keys', async ({ page, laboratory }) => {
  await page.goto(`${laboratory.url}/`);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog).toContainText('Previous and next move');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('a pawn becomes a queen without a question where that is chosen', async ({ table, page }) => {
  await prefer(page, { autoQueen: true });
  await table.sit({ fen: '8/P6k/8/8/8/8/7K/8 w - - 0 1' });
  await table.play('a7', 'a8', 'a8=Q');
});

test('resigning does not ask where that is chosen', async ({ table, page }) => {
  await prefer(page, { confirmResign: false });
  await table.sit({ black: 'random' });
  await page.getByRole('button', { name: 'Resign' }).click();
  await expect(table.status).toContainText('0-1');
});

test('zen mode leaves the board and the clocks', async ({ table, page }) => {
  await table.sit();
  await page.locator('#main').focus();
  await page.keyboard.press('z');
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(table.moves).toBeHidden();
  await expect(page.locator('cg-board')).toBeVisible();
  await page.keyboard.press('z');
  await expect(page.getByRole('banner')).toBeVisible();
});

for (const theme of themes) {
  for (const name of pages) {
    test(`${name} in ${theme} has nothing that shuts people out`, async ({
      page,
      laboratory,
      complaints,
    }) => {
      await prefer(page, { theme });
      await page.goto(`${laboratory.url}/#/${name}`);
      await expect(page.locator('#main .panel').first()).toBeVisible();
      expect(await violations(page)).toEqual([]);
      expect(complaints).toEqual([]);
    });
  }

  test(`a game in ${theme} has nothing that shuts people out`, async ({ page, table }) => {
    await prefer(page, { theme });
    await table.sit({ black: 'random(seed=2)' });
    await table.play('e2', 'e4', 'e4');
    await expect(table.moves.getByRole('button')).toHaveCount(2);
    expect(await violations(page)).toEqual([]);
  });

  test(`settings in ${theme} have nothing that shuts people out`, async ({ page, laboratory }) => {
    await prefer(page, { theme });
    await page.goto(`${laboratory.url}/`);
    await page.getByRole('button', { name: 'Settings' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
}

test('the first screen says that the server is away, though nothing was asked of it', async ({
  page,
  laboratory,
}) => {
  await page.route(/healthz|api/, (route) => route.abort());
  await page.goto(`${laboratory.url}/`);
  const notice = page.getByRole('banner').getByText('The server is away.');
  await expect(notice).toBeVisible();
  await page.unroute(/healthz|api/);
  await expect(notice).toBeHidden();
});

/** The notice, short or long, in English or German. */
const away = /server (is )?away|server (offline|(ist )?nicht erreichbar)/i;

/** Buttons, links and fields that can be seen and that the notice lies over, wholly or partly. */
async function covered(page: Page): Promise<string[]> {
  return page.getByText(away).evaluateAll((notices) => {
    const seen = notices.filter((notice) => notice.getClientRects().length > 0);
    const controls = [...document.querySelectorAll('button, a, input, select, textarea, cg-board')];
    return controls
      .filter((control) =>
        seen.some((notice) => {
          const [one, two] = [notice.getBoundingClientRect(), control.getBoundingClientRect()];
          return (
            two.width > 1 &&
            one.left < two.right &&
            two.left < one.right &&
            one.top < two.bottom &&
            two.top < one.bottom
          );
        }),
      )
      .map((control) => control.textContent?.trim() || control.tagName);
  });
}

/** What the page has asked the server for and has no answer to yet; to be called before it opens. */
function unanswered(page: Page): Set<Request> {
  const asked = new Set<Request>();
  page.on('request', (request) => {
    if (/healthz|api/.test(request.url())) asked.add(request);
  });
  page.on('response', (response) => asked.delete(response.request()));
  page.on('requestfailed', (request) => asked.delete(request));
  return asked;
}

for (const [screen, viewport] of [
  ['a desktop', { width: 1440, height: 900 }],
  ['a tablet', { width: 820, height: 1180 }],
  ['a phone', { width: 390, height: 844 }],
  ['a small phone', { width: 320, height: 568 }],
  ['a phone that lies', { width: 844, height: 390 }],
] as const) {
  for (const language of ['en', 'de'] as const) {
    test(`the notice of a server that is away covers and moves nothing on ${screen}, ${language}`, async ({
      page,
      laboratory,
    }) => {
      await page.setViewportSize(viewport);
      await prefer(page, { language });
      const asked = unanswered(page);
      await page.goto(`${laboratory.url}/`);
      const begin = page.getByRole('button', { name: language === 'de' ? 'Spielen' : 'Play', exact: true });
      await expect(begin).toBeVisible();
      // A late answer would say that the server is there.
      await expect.poll(() => asked.size).toBe(0);
      const notice = page.getByText(away).filter({ visible: true });
      await expect(notice).toHaveCount(0);
      const place = await begin.boundingBox();
      await page.route(/healthz|api/, (route) => route.abort());
      await page.evaluate(() => dispatchEvent(new Event('offline')));
      await expect(notice.first()).toBeInViewport({ ratio: 1 });
      expect(await begin.boundingBox()).toEqual(place);
      expect(await covered(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    });
  }
}

for (const name of pages) {
  test(`${name} in German has nothing that shuts people out and fits a phone`, async ({
    page,
    laboratory,
    complaints,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await prefer(page, { language: 'de' });
    await page.goto(`${laboratory.url}/#/${name}`);
    await expect(page.locator('#main .panel:visible').first()).toBeVisible();
    await expect(look(page)).toHaveAttribute('lang', 'de');
    expect(await violations(page)).toEqual([]);
    const cut = await page.getByRole('navigation').evaluate((nav) => nav.scrollWidth - nav.clientWidth);
    expect(cut, 'pixels of the names of the pages that are cut off').toBeLessThanOrEqual(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    expect(complaints).toEqual([]);
  });
}

test('in German a game, its end and what is heard of it are German', async ({ page, table }) => {
  await prefer(page, { language: 'de' });
  await table.sit({ fen: '6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1' }, 'am Zug');
  await table.click('a1');
  await table.click('a8');
  await expect(table.status).toContainText('Weiß gewinnt durch Schachmatt');
  await expect(page.getByRole('status')).toHaveText('Weiß gewinnt durch Schachmatt');
});

for (const [language, human] of [
  ['en', 'Human'],
  ['de', 'Mensch'],
] as const) {
  test(`lists of games call a person ${human}, ${language}`, async ({ page, laboratory }) => {
    await prefer(page, { language });
    const [chess, quantum] = [`${laboratory.url}/api/v1/games`, `${laboratory.url}/api/v1/quantum/games`];
    const made = async (path: string, data: unknown): Promise<{ id: string }> => {
      const response = await page.request.post(path, { data });
      expect(response.ok(), await response.text()).toBe(true);
      return (await response.json()) as { id: string };
    };
    const people = { white: 'human', black: 'human' };
    const { id } = await made(quantum, people);
    // A game of quantum chess is listed once something was played.
    await made(`${quantum}/${id}/moves`, { move: 'e2e4', ply: 0 });
    const { id: other } = await made(chess, people);
    for (const [place, game] of [
      ['quantum', id],
      ['play', other],
    ] as const) {
      await page.goto(`${laboratory.url}/#/${place}`);
      await expect(page.locator(`main a[href="#/${place}/${game}"]`)).toHaveText(`${human} – ${human}`);
    }
    await page.goto(`${laboratory.url}/#/analyse/${other}`);
    await expect(page.getByRole('heading', { name: `${human} – ${human}` })).toBeVisible();
  });
}

test('in German what was wrong with an address is told in German, from the first view on', async ({
  page,
  laboratory,
}) => {
  await prefer(page, { language: 'de' });
  await page.goto(`${laboratory.url}/#/analyse?fen=8/8/8/8/8/8/8/8_w`);
  await expect(page.locator('#main')).toContainText('ist keine Stellung');
});

test('colours of a field are read against grey squares, without arrows over them', async ({
  page,
  laboratory,
}) => {
  await page.goto(`${laboratory.url}/#/analyse`);
  await expect(page.locator('.cg-shapes g line').first()).toBeAttached();
  await page.getByRole('tab', { name: 'What each evaluation sees' }).click();
  await page.getByRole('button', { name: 'influence', exact: true }).click();
  await expect(page.locator('.ground[data-field] .square').first()).toHaveCSS(
    'background-color',
    'rgb(242, 242, 241)',
  );
  await expect(page.locator('.cg-shapes g line')).toHaveCount(0);
});

test('the coach is asked in the language of the page', async ({ page, laboratory }) => {
  await prefer(page, { language: 'de' });
  await page.goto(`${laboratory.url}/#/analyse?line=e2e4.e7e5.g1f3.f7f6`);
  const job = page.waitForRequest(
    (request) => request.method() === 'POST' && /analysis\/games/.test(request.url()),
  );
  await page.getByRole('button', { name: 'Partie analysieren' }).click();
  expect(new URL((await job).url()).searchParams.get('language')).toBe('de');
  await expect(page.getByText('Genauigkeit').first()).toBeVisible();
  const review = page.waitForRequest((request) => request.url().includes('/analysis/review'));
  await page.getByRole('tab', { name: 'Gründe' }).click();
  await page.getByRole('button', { name: 'Was ist hier am besten?' }).click();
  expect(new URL((await review).url()).searchParams.get('language')).toBe('de');
});

const boards = ['wood', 'slate', 'green', 'terminal'] as const;

/** Whether the ring around a square has a colour that shows on either colour of squares. */
async function checkRing(page: Page, marked: string): Promise<void> {
  const shadow = await page
    .locator(marked)
    .first()
    .evaluate((square) => getComputedStyle(square).boxShadow);
  const tones = (shadow.match(/rgba?\([^)]*\)/g) ?? []).map(rgb);
  for (const square of ['.square:not(.dark)', '.square.dark']) {
    const color = await page
      .locator(`.ground ${square}`)
      .first()
      .evaluate((one) => getComputedStyle(one).backgroundColor);
    const best = Math.max(0, ...tones.map((tone) => contrast(tone, rgb(color))));
    expect(best, `${marked} on ${color}`).toBeGreaterThan(3);
  }
}

for (const board of boards) {
  test(`rings on squares show on squares of any colour, ${board}`, async ({ table, page, laboratory }) => {
    await prefer(page, { board });
    await table.sit();
    await table.click('g1');
    await checkRing(page, 'cg-board square.selected');
    const { x, y } = await table.point('f3');
    await page.mouse.move(x, y);
    await checkRing(page, 'cg-board square.move-dest:hover');
    await page.goto(`${laboratory.url}/#/analyse`);
    await page.getByRole('tab', { name: 'What each evaluation sees' }).click();
    await page.getByRole('button', { name: 'influence', exact: true }).click();
    await page.mouse.move(x, y);
    await checkRing(page, 'cg-board square.inspected');
  });

  test(`rings on squares of quantum chess show on squares of any colour, ${board}`, async ({
    table,
    page,
    laboratory,
  }) => {
    await prefer(page, { board });
    await page.goto(`${laboratory.url}/#/quantum`);
    await page.getByText('More opponents and options').click();
    await page.getByLabel('Who plays Black').selectOption('greedy');
    await page.getByRole('button', { name: 'Start' }).click();
    await expect(table.status).toContainText('Your move');
    const box = await page.locator('.quantum-board').boundingBox();
    if (!box) throw new Error('there is no board');
    const [g1, f3] = [
      [box.x + (6.5 * box.width) / 8, box.y + (7.5 * box.height) / 8],
      [box.x + (5.5 * box.width) / 8, box.y + (5.5 * box.height) / 8],
    ] as const;
    const split = page.getByRole('button', { name: 'Split (50%)' });
    await page.getByRole('button', { name: 'Split', exact: true }).click();
    await page.mouse.click(...g1);
    await page.mouse.click(...f3);
    await expect(split).toBeVisible();
    for (const mark of ['held', 'chosen']) await checkRing(page, `.quantum-board .${mark}`);
    await split.click();
    const story = page.getByRole('list', { name: 'Moves and measurements' });
    await expect(story.getByRole('button')).toHaveCount(2);
    await page.mouse.move(...f3);
    for (const mark of ['inspected', 'linked']) await checkRing(page, `.quantum-board .${mark}`);
  });

  test(`coordinates are read on squares that are marked, ${board}`, async ({ table, page }) => {
    await prefer(page, { board, animation: false });
    await table.sit({ fen: '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1' });
    const [rank, file] = [
      page.locator('.ground .rank', { hasText: '1' }),
      page.locator('.ground .file', { hasText: 'a' }),
    ];
    const check = async (mark: string): Promise<void> => {
      await expect(page.locator(`cg-board square.${mark}`).first()).toBeAttached();
      // Without the ring at the edge, which stands out by itself.
      for (const [coordinate, part] of [
        [rank, { left: 0.3, top: 0.2 }],
        [file, { right: 0.7, bottom: 0.8 }],
      ] as const) {
        expect(await range(coordinate, part), `${await coordinate.innerText()}, ${mark}`).toBeGreaterThan(
          4.5,
        );
      }
    };
    await table.click('a1');
    await check('selected');
    await table.click('a5');
    await check('last-move');
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  for (const name of pages) {
    test(`${name} fits the width`, async ({ page, laboratory, complaints }) => {
      await page.goto(`${laboratory.url}/#/${name}`);
      await expect(page.locator('#main .panel:visible').first()).toBeVisible();
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
        if (square === to) await table.goal(to);
        await page.touchscreen.tap(x, y);
      }
      await expect(table.moves.getByRole('button', { name: san, exact: true })).toBeVisible();
    }
  });

  test('the board is in view after a game was started from below', async ({ page, table, laboratory }) => {
    await page.goto(`${laboratory.url}/`);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.getByRole('button', { name: 'Play', exact: true }).tap();
    await expect(table.status).toBeAttached();
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  for (const width of [320, 360, 375, 390, 412]) {
    for (const language of ['en', 'de'] as const) {
      test(`the names of the levels stand on one line, ${width} pixels, ${language}`, async ({
        page,
        laboratory,
      }) => {
        await page.setViewportSize({ width, height: 844 });
        await prefer(page, { language });
        await page.goto(`${laboratory.url}/`);
        await expect(look(page)).toHaveAttribute('lang', language);
        const names = page.locator('.levels b:visible');
        await expect(names).toHaveCount(8);
        const lines = await names.evaluateAll((all) =>
          all.map((one) => Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight))),
        );
        expect(lines).toEqual(Array(8).fill(1));
      });
    }
  }

  test('everything up to the button that starts a game is in view', async ({ page, laboratory }) => {
    await page.goto(`${laboratory.url}/`);
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeInViewport({ ratio: 1 });
  });

  test('the graph leaves the panels in view', async ({ page, laboratory }) => {
    await prefer(page, {});
    await page.addInitScript(() => localStorage.setItem('tabia.engine', JSON.stringify({ on: false })));
    await page.goto(`${laboratory.url}/#/analyse?line=e2e4.e7e5.g1f3.f7f6.f3e5`);
    await page.getByRole('tab', { name: 'Explanation' }).tap();
    await page.getByRole('button', { name: 'Analyse the game' }).tap();
    await expect(page.getByText('Accuracy').first()).toBeVisible();
    await page.getByRole('tab', { name: 'Moves' }).tap();
    const graph = await page.getByRole('img', { name: /winning chances/ }).boundingBox();
    const tabs = await page.getByRole('tab', { name: 'Moves' }).boundingBox();
    expect((graph?.y ?? 999) + (graph?.height ?? 0)).toBeLessThanOrEqual(tabs?.y ?? 0);
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

test.describe('on a phone that lies', () => {
  test.use({ viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true });

  for (const name of ['play', 'analyse', 'practise', 'quantum'] as const) {
    test(`the whole board of ${name} is in view`, async ({ page, laboratory }) => {
      await page.goto(`${laboratory.url}/#/${name}`);
      const board = page.locator('cg-board, .quantum-board').first();
      await expect(board).toBeVisible();
      const box = await board.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? 999)).toBeLessThanOrEqual(390);
      expect(box?.width ?? 0).toBeGreaterThan(200);
    });
  }
});
