import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Where the laboratory answers while the page is being worked on: `tabia serve`'s own address. */
const server = process.env.TABIA_URL ?? 'http://127.0.0.1:8050';

/** Below this many bytes a file is not worth compressing. */
const least = 512;

/** Beside every file of text its compressed forms, which the server sends to whoever takes them. */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(html|js|css|svg)$/.test(name)) continue;
        const path = join(dir, name);
        const body = readFileSync(path);
        if (body.length < least) continue;
        writeFileSync(`${path}.br`, brotliCompressSync(body));
        writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
      }
    },
  };
}

/** The service worker, with the list of all files of the page and a name that changes with any of them. */
function shell(): Plugin {
  return {
    name: 'shell',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      const names = readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name) && entry.name !== 'worker.js')
        .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
        .sort();
      const hash = createHash('sha256');
      for (const name of names) hash.update(name).update(readFileSync(join(dir, name)));
      const files = ['/', ...names.filter((name) => name !== 'index.html').map((name) => `/${name}`)];
      const source = readFileSync(new URL('scripts/worker.js', import.meta.url), 'utf8')
        .replace('__VERSION__', hash.digest('hex').slice(0, 16))
        .replace("['__FILES__']", JSON.stringify(files));
      writeFileSync(join(dir, 'worker.js'), source);
    },
  };
}

export default defineConfig({
  plugins: [svelte(), svelteTesting(), shell(), packed()],
  build: {
    target: 'es2022',
    // Files stay files: the server's content security policy knows neither data: nor inline anything.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    // The server refuses requests from pages of other sites: what comes from here is told to come from its own.
    proxy: Object.fromEntries(
      ['/api', '/healthz', '/metrics'].map((path) => [
        path,
        { target: server, changeOrigin: true, headers: { origin: server } },
      ]),
    ),
  },
  test: {
    environment: 'jsdom',
    include: ['tests/**/*.test.ts'],
    // A busy machine takes its time.
    testTimeout: 60_000,
  },
});
