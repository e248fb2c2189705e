// The page from a folder in front of a server, so that a page can be tried without building the binary that contains it.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** The file that a request means, or nothing where the server has to answer. */
function fileOf(folder, { method, url }) {
  if (method !== 'GET') return undefined;
  // Names of the page's files need no decoding; what cannot be decoded is the server's to refuse.
  const path = new URL(url, 'http://localhost').pathname;
  const file = join(folder, normalize(path === '/' ? '/index.html' : path));
  return types[extname(file)] && existsSync(file) && statSync(file).isFile() ? file : undefined;
}

/**
 * Listens on `port` (0: a free one) until it is closed. Files of `folder` are sent under the policy of the server at
 * `target`, compressed where the browser takes it; everything else is the server's.
 */
export async function front({ folder, target, port = 0 }) {
  const policy = (await fetch(target)).headers.get('content-security-policy');
  const { host, origin } = new URL(target);
  const server = createServer((asked, answer) => {
    const file = fileOf(folder, asked);
    if (file) {
      const packed = /\bbr\b/.test(asked.headers['accept-encoding'] ?? '') && existsSync(`${file}.br`);
      answer.writeHead(200, {
        'content-type': types[extname(file)],
        ...(policy ? { 'content-security-policy': policy } : {}),
        ...(packed ? { 'content-encoding': 'br' } : {}),
      });
      createReadStream(packed ? `${file}.br` : file).pipe(answer);
      return;
    }
    // The server refuses requests from pages of other sites: what comes from here is told to come from its own.
    const headers = { ...asked.headers, host, ...(asked.headers.origin ? { origin } : {}) };
    const passed = request(
      target + asked.url,
      { method: asked.method, headers, agent: false },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
        response.on('error', () => answer.destroy());
      },
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', done);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}
