import { defineConfig } from '@playwright/test';

/** Debian's browser; none is downloaded. */
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 2,
  // Nothing is tried twice: a test that fails on a busy machine is a broken test.
  retries: 0,
  timeout: 300_000,
  expect: { timeout: 90_000 },
  reporter: [['list']],
  outputDir: 'test-results',
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath, args: ['--no-sandbox'] },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
