import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

export default defineConfig({
  plugins: [svelte(), svelteTesting(), packed()],
  build: {
    target: 'es2022',
    // Files stay files: the server's content security policy knows neither data: nor inline anything.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(['/api', '/healthz', '/metrics'].map((path) => [path, server])),
  },
  test: {
    environment: 'jsdom',
    include: ['tests/**/*.test.ts'],
  },
});
