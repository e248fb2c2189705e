/** The documentation within the binary: its pages work under the same policy as everything else. */
import { expect, test } from './fixtures';

for (const scheme of ['light', 'dark'] as const) {
  test(`the documentation opens, searches and is ${scheme} where the system is`, async ({
    page,
    laboratory,
  }) => {
    const answer = await page.request.get(`${laboratory.url}/docs/`);
    test.skip(answer.status() === 404 && !process.env.CI, 'this binary was built without mdBook');
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(`${laboratory.url}/docs`);
    await expect(page.locator('html')).toHaveClass(scheme === 'light' ? /\blight\b/ : /\bnavy\b/);
    await expect(page.getByRole('link', { name: 'The API', exact: true }).first()).toBeVisible();
    await page.keyboard.press('/');
    await page.getByRole('searchbox').pressSequentially('pentanomial');
    await page.locator('#mdbook-searchresults a', { hasText: 'Matches' }).first().click();
    await expect(page).toHaveURL(/\/docs\/matches\.html/);
    await page.goto(`${laboratory.url}/docs/gallery.html`);
    const pictures = page.getByRole('main').getByRole('img');
    expect(await pictures.count()).toBeGreaterThan(8);
    for (const picture of await pictures.all()) {
      await expect(picture).toHaveJSProperty('complete', true);
      expect(await picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
    }
    expect(refused).toEqual([]);
  });
}
