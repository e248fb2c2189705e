/**
 * The real binary, on a free port with a folder of its own, for as long as a test lasts. Where TABIA_PAGE names a folder,
 * its page is tried in place of the binary's.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { front } from '../scripts/front.js';

const root = resolve(import.meta.dirname, '../..');

/** The binary: named by TABIA, or the latest that cargo built. */
export function binary(): string {
  const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
  const candidates = [
    process.env.TABIA,
    ...['release', 'fast', 'debug'].map((kind) => join(target, kind, 'tabia')),
  ];
  const found = candidates.find((path) => path !== undefined && existsSync(path));
  if (!found) throw new Error('no binary: run `make build`, or name one with TABIA');
  return found;
}

export async function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.on('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? done(address.port) : failed(new Error('no port')),
      );
    });
  });
}

export class Laboratory {
  #process: ChildProcess | undefined;
  #front: { close: () => Promise<void> } | undefined;
  /** Its data folder. */
  readonly data = mkdtempSync(join(tmpdir(), 'tabia-e2e-'));

  private constructor(
    readonly port: number,
    /** What `tabia serve` is told beside its address and its folder. */
    private readonly options: string[],
  ) {}

  static async open(options: string[] = []): Promise<Laboratory> {
    const laboratory = new Laboratory(await freePort(), options);
    await laboratory.start();
    return laboratory;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the server and waits until it answers. */
  async start(): Promise<void> {
    const folder = process.env.TABIA_PAGE;
    const port = folder ? await freePort() : this.port;
    const child = spawn(
      binary(),
      ['serve', '--addr', `127.0.0.1:${port}`, '--data', this.data, ...this.options],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    this.#process = child;
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    for (;;) {
      if (child.exitCode !== null) throw new Error(`tabia serve ended with ${child.exitCode}: ${said}`);
      const target = `http://127.0.0.1:${port}`;
      const answer = await fetch(`${target}/healthz`).catch(() => undefined);
      if (answer?.ok) {
        if (folder) this.#front = await front({ folder, target, port: this.port });
        return;
      }
      await new Promise((again) => setTimeout(again, 50));
    }
  }

  /** Stops the server as a terminal would, or without a word. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await ended;
    await this.#front?.close();
  }

  async close(): Promise<void> {
    await this.stop();
    this.#endMatches();
    // A match that was just told to stop may write its last game.
    rmSync(this.data, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  /** Matches go on without their server; with the test they end. */
  #endMatches(): void {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        if (command.includes(`${this.data}/runs/`)) process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}
