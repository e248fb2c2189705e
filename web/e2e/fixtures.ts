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
    await this.page.goto(`${this.laboratory.url}/#/play/${id}`);
    await expect(this.status).toContainText(said);
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

  /** Two clicks, and waits until the move stands in the list. */
  async play(from: string, to: string, san: string): Promise<void> {
    await this.click(from);
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
      const lost = message.text().includes('ERR_CONNECTION_REFUSED');
      if (message.type() === 'error' && !lost) complaints.push(message.text());
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
    await use(new Table(page, laboratory));
  },
});

export { expect };
