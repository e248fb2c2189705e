/** What the tests share: a laboratory per worker, and hands that know the board. */
import { test as base, expect, type Locator, type Page } from '@playwright/test';
import { Laboratory } from './laboratory';

interface Setting {
  white?: string;
  black?: string;
  fen?: string;
  variant?: string;
}

export class Table {
  /** The games that were set up here. */
  readonly #games: string[] = [];

  constructor(
    readonly page: Page,
    readonly laboratory: Laboratory,
  ) {}

  /** Opens a game between people, or whoever is named, set up through the API. */
  async sit({ white = 'human', black = 'human', fen, variant }: Setting = {}, said = 'move'): Promise<void> {
    const response = await this.page.request.post(`${this.laboratory.url}/api/v1/games`, {
      data: { white, black, ...(fen ? { fen } : {}), ...(variant ? { variant } : {}) },
    });
    expect(response.status()).toBe(201);
    const { id } = (await response.json()) as { id: string };
    this.#games.push(id);
    // When this game is asked for, the one that was open before is no longer shown.
    const asked = this.page.waitForRequest((request) => request.url().endsWith(`/api/v1/games/${id}`));
    await this.page.goto(`${this.laboratory.url}/#/play/${id}`);
    await asked;
    await expect(this.status).toContainText(said);
  }

  /** Leaves the games and has the server forget them: an agent in one of them may think for a minute yet. */
  async leave(): Promise<void> {
    await this.page.close();
    for (const id of this.#games) {
      await this.page.request.delete(`${this.laboratory.url}/api/v1/games/${id}`);
    }
  }

  get status(): Locator {
    return this.page.getByTestId('status');
  }

  get moves(): Locator {
    return this.page.getByRole('list', { name: 'Moves' });
  }

  /** The middle of a square, White below. */
  async point(square: string): Promise<{ x: number; y: number }> {
    const box = await this.page.locator('cg-board').first().boundingBox();
    if (!box) throw new Error('there is no board');
    const file = square.charCodeAt(0) - 97;
    const rank = Number(square[1]) - 1;
    return { x: box.x + ((file + 0.5) * box.width) / 8, y: box.y + ((7.5 - rank) * box.height) / 8 };
  }

  async click(square: string): Promise<void> {
    const { x, y } = await this.point(square);
    await this.page.mouse.click(x, y);
  }

  /**
   * Waits until the piece in hand can go to a square. A move is seen before the server has it; only when it has can a
   * piece go anywhere, and a click that comes before is lost.
   */
  async goal(square: string): Promise<void> {
    const at = await this.point(square);
    const shown = (): Promise<boolean> =>
      this.page.evaluate(
        ({ x, y }) => document.elementsFromPoint(x, y).some((found) => found.matches('square.move-dest')),
        at,
      );
    await expect.poll(shown, `the piece in hand can go to ${square}`).toBe(true);
  }

  /** Two clicks, and waits until the move stands in the list. */
  async play(from: string, to: string, san: string): Promise<void> {
    await this.click(from);
    await this.goal(to);
    await this.click(to);
    await expect(this.moves.getByRole('button', { name: san, exact: true }).last()).toBeVisible();
  }

  async drag(from: string, to: string): Promise<void> {
    const start = await this.point(from);
    const end = await this.point(to);
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
    await this.page.mouse.move(end.x, end.y, { steps: 4 });
    await this.page.mouse.up();
  }

  /** What stands on a square, as a screen reader hears it. */
  square(name: string): Locator {
    return this.page.locator(`[data-square="${name}"]`).first();
  }
}

interface Fixtures {
  table: Table;
  /** What the browser refused or complained about; every test ends with none. */
  complaints: string[];
  /** Opens a server of the test's own. The page is closed before it: else a request on its way would be lost. */
  openLaboratory: (options?: string[]) => Promise<Laboratory>;
}

export const test = base.extend<Fixtures, { laboratory: Laboratory }>({
  laboratory: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const laboratory = await Laboratory.open();
      await use(laboratory);
      await laboratory.close();
    },
    { scope: 'worker' },
  ],
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // A server that is away is asked again, and so is one that is busy.
      const expected = /ERR_CONNECTION_REFUSED|status of 503/.test(message.text());
      if (message.type() === 'error' && !expected) complaints.push(message.text());
    });
    await use(complaints);
    expect(complaints, 'errors in the browser').toEqual([]);
  },
  openLaboratory: async ({ page }, use) => {
    const opened: Laboratory[] = [];
    await use(async (options) => {
      const laboratory = await Laboratory.open(options);
      opened.push(laboratory);
      return laboratory;
    });
    await page.close();
    for (const laboratory of opened) await laboratory.close();
  },
  table: async ({ page, laboratory, complaints }, use) => {
    void complaints;
    const table = new Table(page, laboratory);
    await use(table);
    await table.leave();
  },
});

export { expect };
