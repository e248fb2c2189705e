// How long it takes from opening the page in a browser that has never seen it until a move can be made, and until the
// first move of a game against Beginner stands in the list. Nothing is asserted: times are this machine's.
//   npm run first-move                  five times; --embedded: the page within the binary
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { serve } from './serve.js';

const { values: options } = parseArgs({
  options: { times: { type: 'string', default: '5' }, embedded: { type: 'boolean', default: false } },
});

const server = await serve({ embedded: options.embedded });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

/** In a browser without a cache: milliseconds until `act` is done. */
async function measure(place, act) {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const begin = performance.now();
  await page.goto(`${server.url}/#/${place}`, { waitUntil: 'commit' });
  await act(page);
  const took = performance.now() - begin;
  await context.close();
  return took;
}

/** Two clicks on the board, as soon as there is one with pieces. */
async function play(page, from, to) {
  await page.locator('cg-board piece').first().waitFor();
  const box = await page.locator('cg-board').first().boundingBox();
  for (const square of [from, to]) {
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - 1;
    await page.mouse.click(box.x + ((file + 0.5) * box.width) / 8, box.y + ((7.5 - rank) * box.height) / 8);
  }
}

const journeys = {
  'analyse: e4 stands in the list': [
    'analyse',
    async (page) => {
      await play(page, 'e2', 'e4');
      await page.getByRole('group', { name: 'Moves', exact: true }).getByText('e4').waitFor();
    },
  ],
  'play: the levels can be chosen': [
    'play',
    (page) => page.getByRole('button', { name: 'Play', exact: true }).waitFor(),
  ],
  'play: Play is pressed, e4 stands in the list': [
    'play',
    async (page) => {
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.getByText('Your move').waitFor();
      await play(page, 'e2', 'e4');
      await page.getByRole('list', { name: 'Moves' }).getByText('e4').waitFor();
    },
  ],
};

try {
  for (const [name, [place, act]] of Object.entries(journeys)) {
    const times = [];
    for (let time = 0; time < Number(options.times); time += 1) times.push(await measure(place, act));
    times.sort((one, two) => one - two);
    const whole = times.map((time) => time.toFixed(0));
    console.log(`${name}: median ${whole[Math.floor(whole.length / 2)]} ms (${whole.join(', ')})`);
  }
} finally {
  await browser.close();
  await server.close();
}
