// Pictures of every page in its states, to be looked at one by one; each page is also checked with axe, and what the
// browser complains about is told.
//   npm run screenshots -- /tmp/pictures                        all of them
//   npm run screenshots -- /tmp/pictures analyse portrait dark  those whose names contain all these words
//   npm run screenshots -- ../docs/pictures --docs              those of the documentation, under their names there
// The server is the binary that TABIA names; the page is `web/dist` as it was built last (--embedded: the binary's own).
// --language de shows another language; --no-axe is faster.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import { chromium } from '@playwright/test';
import { runnerImport } from 'vite';
import { serve } from './serve.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: 'string', default: 'en' },
    embedded: { type: 'boolean', default: false },
    'no-axe': { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
    // A PGN file for the explorer.
    games: { type: 'string' },
  },
});
const [folder = join(tmpdir(), 'tabia-pictures'), ...words] = positionals;
mkdirSync(folder, { recursive: true });

const screens = {
  desktop: { viewport: { width: 1440, height: 900 } },
  laptop: { viewport: { width: 1366, height: 768 } },
  portrait: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  landscape: { viewport: { width: 844, height: 390 }, isMobile: true, hasTouch: true },
};
const themes = ['light', 'dark', 'terminal'];

/** Pictures of the documentation, and what they show. Those of the explorer need --games. */
const documented = {
  'board-analyse': 'analyse-working-laptop-light',
  'board-arena': 'arena-working-laptop-light',
  'board-explorer': 'analyse-explorer-laptop-light',
  'board-fields': 'analyse-sees-laptop-light',
  'board-landscape': 'analyse-explorer-landscape-light',
  'board-lesson': 'quantum-learned-laptop-light',
  'board-phone': 'analyse-working-portrait-light',
  'board-play': 'play-empty-laptop-dark',
  'board-practise': 'practise-working-laptop-light',
  'board-quantum': 'quantum-working-laptop-light',
  'board-terminal': 'analyse-working-laptop-terminal',
  'network-training': 'lab-trained-desktop-light',
};

/** A game with mistakes of both sides. */
const line =
  'e2e4.e7e5.g1f3.b8c6.f1c4.g8f6.f3g5.d7d5.e4d5.f6d5.g5f7.e8f7.d1f3.f7e6.b1c3.c6b4.a2a3.b4c2.e1d1.c2a1.c3d5.e6d6';
const puzzles = `PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags
00008,r6k/pp2r2p/4Rp1Q/3p4/8/1N1P2R1/PqP2bPP/7K b - - 0 24,f2g3 e6e7 b2b1 b3c1 b1c1 h6c1,1928,76,94,6230,crushing hangingPiece long middlegame,,
0009B,r2qr1k1/b1p2ppp/pp4n1/P1P1p3/4P1n1/B2P2Pb/3NBP1P/RN1QR1K1 b - - 1 16,b6c5 e2g4 h3g4 d1g4,1112,74,87,569,advantage middlegame short,,
`;

/** Runs for the laboratory, as commands leave them. */
function writeRuns(data) {
  const run = join(data, 'runs', 'evolution');
  mkdirSync(run, { recursive: true });
  writeFileSync(
    join(run, 'manifest.toml'),
    'format = 1\nversion = "0.1.0"\nkind = "evolve"\n[settings]\nseed = 7\npopulation = 24\ngenerations = 40\n',
  );
  const metrics = Array.from({ length: 30 }, (_, index) => ({
    generation: index + 1,
    best: 1 - 0.5 * Math.exp(-index / 8),
    mean: 0.8 - 0.5 * Math.exp(-index / 12) + 0.02 * Math.sin(index),
    diversity: 3 * Math.exp(-index / 20) + 0.5,
  }));
  writeFileSync(join(run, 'metrics.jsonl'), metrics.map((line) => `${JSON.stringify(line)}\n`).join(''));

  // The training of the network that comes with the program: its stages, one after the other.
  const trained = join(data, 'runs', 'shipped-network');
  mkdirSync(trained, { recursive: true });
  const log = resolve(import.meta.dirname, '../../crates/net/weights/shipped.jsonl');
  const lines = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line, index) => ({ ...JSON.parse(line), generation: index + 1 }));
  const games = lines.reduce((sum, line) => sum + line.games, 0);
  writeFileSync(
    join(trained, 'manifest.toml'),
    'format = 1\nversion = "0.1.0"\nkind = "quantum train"\n[settings]\nchannels = 64\nblocks = 8\n',
  );
  writeFileSync(join(trained, 'result.json'), JSON.stringify({ games, generations: lines.length }));
  writeFileSync(join(trained, 'metrics.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const full = await serve(options);
const bare = await serve({ embedded: options.embedded });
writeRuns(full.data);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
/** Every text of English with the same text in the language of the pictures, to find buttons and tabs by. */
const texts = new Map();
function pair(one, other) {
  if (typeof one === 'string') texts.set(one, texts.get(one) ?? other);
  else if (typeof one === 'object') for (const key in one) pair(one[key], other[key]);
}
for (const language of ['en', options.language]) {
  const catalogue = (await runnerImport(`./src/text/${language}.ts`)).module[language];
  texts.shown = catalogue;
  if (language === 'en') texts.english = catalogue;
  else {
    pair(texts.english, catalogue);
    for (const name of ['influence', 'control']) texts.set(name, catalogue.sees.name(name));
  }
}
const t = (english) => texts.get(english) ?? english;

const api = async (page, path, data) =>
  (await page.request.post(`${full.url}/api/v1${path}`, { data })).json();
/** On a phone the explanations are behind a tab of their own. */
async function explanation(page, name) {
  const outer = page.getByRole('tab', { name: t('Explanation') });
  if (await outer.isVisible()) await outer.click();
  const { tabs, shortTabs } = texts.shown.analyse;
  const key = Object.keys(tabs).find((one) => texts.english.analyse.tabs[one] === name);
  const tab = (text) => page.getByRole('tab', { name: text, exact: true });
  await tab(tabs[key]).or(tab(shortTabs[key])).click();
}
async function open(page, place, url = full.url) {
  await page.goto(`${url}/#/${place}`);
  await page.locator('#main > *').nth(1).waitFor();
}
const analysed = `analyse?line=${line}`;
const unknown = '00000000000000000000000000000000';

const offline = (place) => async (page) => {
  await open(page, 'play');
  await page.locator('cg-board').first().waitFor();
  await page.route(/\/(api|healthz)/, (route) => route.abort());
  await page.goto(`${full.url}/#/${place}`);
  await page.reload();
};

async function game(page) {
  await open(page, 'play');
  await page.getByText(t('Beginner'), { exact: true }).click();
  await page.getByRole('button', { name: t('Play'), exact: true }).click();
  const entry = page.getByRole('textbox', { name: t('Move') });
  for (const move of ['e4', 'Nf3']) {
    await entry.fill(move);
    await entry.press('Enter');
    await page.getByText(t('Your move')).first().waitFor();
  }
}

/** Page, state, and how to get there. */
const states = {
  play: {
    empty: (page) => open(page, 'play', bare.url),
    working: game,
    async ended(page) {
      await game(page);
      await page.getByRole('button', { name: t('Resign') }).click();
      await page.getByRole('button', { name: t('Resign?') }).click();
    },
    async more(page) {
      await open(page, 'play');
      await page.getByRole('button', { name: t('More opponents and options') }).click();
    },
    async people(page) {
      const { id } = await api(page, '/games', {
        white: 'human',
        black: 'human',
        clock: { initial_ms: 180_000, increment_ms: 2000 },
      });
      await open(page, `play/${id}`);
    },
    error: (page) => open(page, `play/${unknown}`),
    async offline(page) {
      await game(page);
      await page.context().setOffline(true);
      await page.getByRole('textbox', { name: t('Move') }).fill('Bc4');
      await page.getByRole('textbox', { name: t('Move') }).press('Enter');
    },
    away: offline('play'),
  },
  analyse: {
    empty: (page) => open(page, 'analyse', bare.url),
    async working(page) {
      await open(page, 'analyse');
      await explanation(page, 'Game report');
      // The last mistake is the worst one.
      await page.locator('.faults li > button').last().click();
      await page.mouse.move(2, 2);
      await page.locator('.reasons .text').waitFor();
      await page.evaluate(() => scrollTo(0, 0));
    },
    async report(page) {
      await open(page, 'analyse');
      await explanation(page, 'Game report');
    },
    async moves(page) {
      await open(page, 'analyse');
      await page.getByRole('button', { name: 'Nxd5' }).first().click();
    },
    async engine(page) {
      await open(page, 'analyse');
      const outer = page.getByRole('tab', { name: t('Engine') });
      if (await outer.isVisible()) await outer.click();
    },
    async sees(page) {
      await open(page, analysed);
      await explanation(page, 'What each evaluation sees');
      await page.getByRole('button', { name: t('influence'), exact: true }).click();
    },
    async compare(page) {
      await open(page, analysed);
      await explanation(page, 'What each evaluation sees');
      await page.getByRole('combobox', { name: t('Evaluation'), exact: true }).selectOption('axiomx');
      await page.getByRole('button', { name: t('control'), exact: true }).click();
      await page.getByLabel(t('Compare with another evaluation')).check();
      await page.getByText(t('Options'), { exact: true }).last().click();
      await page.getByLabel('kernels', { exact: true }).last().selectOption('code');
    },
    async explorer(page) {
      await open(page, 'analyse?line=e2e4.e7e5.g1f3.b8c6.f1b5');
      await explanation(page, 'Explorer');
      await page.locator('.explorer table').waitFor();
    },
    async filtered(page) {
      await open(page, 'analyse?line=e2e4.e7e5.g1f3.b8c6.f1b5');
      await explanation(page, 'Explorer');
      await page.getByRole('button', { name: t('Filter games') }).click();
      await page.getByLabel(t('First year')).fill('2016');
      await page.getByLabel(t('Player'), { exact: true }).fill('Carlsen');
      await page.getByLabel(t('Player'), { exact: true }).press('Enter');
    },
    async unexplored(page) {
      await open(page, 'analyse?line=e2e4.e7e5.g1f3.b8c6.f1b5', bare.url);
      await explanation(page, 'Explorer');
    },
    async editor(page) {
      await open(page, 'analyse');
      const editor = page.getByRole('button', { name: t('Editor') });
      if (await editor.isVisible()) await editor.click();
    },
    async share(page) {
      await open(page, 'analyse');
      const share = page.getByRole('button', { name: t('Share') });
      if (await share.isVisible()) await share.click();
    },
    async open(page) {
      await open(page, 'analyse');
      await page.getByRole('button', { name: t('Open…') }).click();
    },
    error: (page) => open(page, `analyse/${unknown}`),
    rubbish: (page) => open(page, 'analyse?fen=rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w&line=e2e9'),
    offline: offline('analyse'),
  },
  practise: {
    empty: (page) => open(page, 'practise', bare.url),
    overview: (page) => open(page, 'practise'),
    async working(page) {
      await open(page, 'practise/mistakes');
      await page.getByRole('button', { name: t('Hint') }).click();
    },
    async shown(page) {
      await open(page, 'practise/mistakes');
      await page.getByRole('button', { name: t('Show the solution') }).click();
    },
    async puzzles(page) {
      await open(page, 'practise');
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'puzzles.csv', mimeType: 'text/csv', buffer: Buffer.from(puzzles) });
      await page.getByText(/^2 /).first().waitFor();
      await page
        .getByRole('link', { name: t('Begin') })
        .last()
        .click();
    },
    async error(page) {
      await open(page, 'practise');
      await page.locator('input[type=file]').setInputFiles({
        name: 'puzzles.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`${puzzles}7,no position,e2e4,100\nx,8/8/8/8/8/8/8/8 w - - 0 1,e2e4,100,,,,,,\n`),
      });
    },
    offline: offline('practise'),
  },
  arena: {
    empty: (page) => open(page, 'arena', bare.url),
    new: (page) => open(page, 'arena?new'),
    async working(page) {
      await open(page, 'arena/pictures');
      await page.locator('table').first().waitFor();
    },
    error: (page) => open(page, 'arena/nope'),
    offline: offline('arena'),
  },
  quantum: {
    empty: (page) => open(page, 'quantum', bare.url),
    async working(page) {
      const { id } = await api(page, '/quantum/games', {
        white: 'human',
        black: 'human',
        moves: ['b1~c3', 'g8~f6', 'e2e4'],
      });
      await open(page, `quantum/${id}`);
      await page.getByText(t('Branches')).first().waitFor();
    },
    lesson: (page) => open(page, 'quantum/lesson'),
    /** The fourth position, solved; the pointer is on the rook, and what depends on it is marked. */
    async learned(page) {
      await page.addInitScript(() => localStorage.setItem('tabia.lesson', '3'));
      await open(page, 'quantum/lesson');
      const board = page.locator('.quantum-board');
      await page.getByRole('button', { name: t('Split'), exact: true }).waitFor();
      const { width } = await board.boundingBox();
      const at = (rank) => ({ position: { x: width / 16, y: ((8.5 - rank) * width) / 8 } });
      await board.click(at(1));
      await board.click(at(7));
      await page.getByRole('button', { name: new RegExp(`^${t('Move')} \\(`) }).click();
      await page.getByTestId('feedback').waitFor();
      await board.hover(at(7));
    },
    error: (page) => open(page, `quantum/${unknown}`),
    offline: offline('quantum'),
  },
  lab: {
    empty: (page) => open(page, 'lab', bare.url),
    async working(page) {
      await open(page, 'lab/evolution');
      await page.locator('canvas').first().waitFor();
    },
    async trained(page) {
      await open(page, 'lab/shipped-network');
      await page.locator('canvas').first().waitFor();
    },
    error: (page) => open(page, 'lab/nope'),
    offline: offline('lab'),
  },
  dialog: {
    async settings(page) {
      await open(page, 'play');
      await page.keyboard.press(',');
    },
    async keys(page) {
      await open(page, 'play');
      await page.keyboard.press('?');
    },
  },
};

const names = Object.entries(screens).flatMap(([screen, shape]) =>
  themes.flatMap((theme) =>
    Object.entries(states).flatMap(([place, all]) =>
      Object.entries(all).map(([state, show]) => ({
        file: `${place}-${state}-${screen}-${theme}`,
        shape,
        theme,
        show,
      })),
    ),
  ),
);
const wanted = options.docs
  ? Object.entries(documented)
      .filter(([name]) => words.every((word) => name.split('-').includes(word)))
      .map(([name, shown]) => ({ ...names.find(({ file }) => file === shown), file: name }))
  : names.filter(({ file }) => words.every((word) => file.split('-').includes(word)));
console.log(`${wanted.length} pictures to ${folder}`);

/** What others look at is made once: an analysed game with its exercises, and a match. */
async function prepare() {
  const context = await browser.newContext({ ...screens.desktop, locale: 'en-GB' });
  const page = await context.newPage();
  await page.addInitScript((kept) => localStorage.setItem('tabia.settings', JSON.stringify(kept)), {
    language: options.language,
  });
  await open(page, analysed);
  await page.getByRole('button', { name: t('Analyse the game') }).click();
  await page.getByText(t('Accuracy')).first().waitFor({ timeout: 300_000 });
  await page.request.post(`${full.url}/api/v1/runs`, {
    data: {
      kind: 'match',
      name: 'pictures',
      agents: ['field=engine(eval=field,hash=1)', 'axon=engine(eval=axon,hash=1)'],
      games: 40,
      nodes: 2000,
    },
  });
  if (options.games) {
    while ((await (await page.request.get(`${full.url}/api/v1/explorer`)).json()).state === 'indexing')
      await page.waitForTimeout(500);
  }
  const state = await context.storageState();
  await context.close();
  return state;
}

let faults = 0;
const tell = (file, what) => {
  faults += 1;
  console.error(`${file}: ${what}`);
};
try {
  const storageState = await prepare();
  for (const { file, shape, theme, show } of wanted) {
    const context = await browser.newContext({ ...shape, locale: 'en-GB', storageState });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (error) => tell(file, error.message));
    page.on('console', (message) => {
      // What a server that is away, or a name that nothing has, makes the browser say.
      if (message.type() === 'error' && !/net::ERR_|status of 404/.test(message.text()))
        tell(file, message.text());
    });
    await page.addInitScript((kept) => localStorage.setItem('tabia.settings', JSON.stringify(kept)), {
      theme,
      language: options.language,
    });
    try {
      await show(page);
    } catch (error) {
      tell(file, error);
    }
    // Until fonts, pieces and first answers are there; a picture is for looking, nothing is asserted.
    await page.waitForTimeout(1200);
    await page.screenshot({ path: join(folder, `${file}.png`) });
    if (!options['no-axe']) {
      for (const { id, nodes } of (await new AxeBuilder({ page }).analyze()).violations)
        tell(file, `axe: ${id}: ${nodes.map(({ target }) => target).join(' ')}`);
    }
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (wide > 0) tell(file, `${wide} pixels wider than the screen`);
    console.log(file);
    await context.close();
  }
} finally {
  await browser.close();
  for (const server of [full, bare]) await server.close();
}
console.log(faults === 0 ? 'nothing to complain about' : `${faults} complaints`);
process.exit(faults === 0 ? 0 : 1);
