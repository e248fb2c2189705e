// A server with a folder of its own, for scripts that look at the page in a browser.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { front } from './front.js';

function freePort() {
  return new Promise((done, failed) => {
    const server = createServer();
    server.on('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** The binary: named by TABIA, or the latest that cargo built. */
function binary() {
  const target = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, '../../target');
  const built = ['release', 'fast', 'debug'].map((kind) => join(target, kind, 'tabia'));
  const found = [process.env.TABIA, ...built].find((path) => path && existsSync(path));
  if (!found) throw new Error('no binary: run `make build`, or name one with TABIA');
  return found;
}

/**
 * Starts `tabia serve`. The page is the folder that TABIA_PAGE names, or `web/dist` as it was built last, or with
 * `embedded` the one within the binary.
 */
export async function serve({ games, embedded = false } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'tabia-page-'));
  const address = `127.0.0.1:${await freePort()}`;
  const extra = games ? ['--games', games] : [];
  const child = spawn(binary(), ['serve', '--addr', address, '--data', data, ...extra], { stdio: 'ignore' });
  const server = `http://${address}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`tabia serve ended with ${child.exitCode}`);
    if ((await fetch(`${server}/healthz`).catch(() => undefined))?.ok) break;
    await new Promise((again) => setTimeout(again, 50));
  }
  const folder = process.env.TABIA_PAGE ?? resolve(import.meta.dirname, '../dist');
  const page = embedded ? undefined : await front({ folder, target: server });
  return {
    url: page?.url ?? server,
    data,
    async close() {
      await page?.close();
      const ended = new Promise((done) => child.once('exit', done));
      child.kill();
      await ended;
      rmSync(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
