/** Asking the laboratory: JSON in and out, and errors that say what was wrong. */

import { server } from '../state/server.svelte';
import { m } from '../text/catalogue.svelte';

/** The server said no, and why (RFC 9457). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    detail: string,
    /** Seconds after which another attempt makes sense. */
    readonly retryAfter?: number,
  ) {
    super(m.frame.told(sentence(detail)));
  }
}

/** A server's words begin small and have no full stop; on the page they stand alone. */
export function sentence(words: string): string {
  const first = /^[a-z]+(?=[ ,:])/.test(words) ? words.charAt(0).toUpperCase() + words.slice(1) : words;
  return /[.!?…]$/.test(first) ? first : `${first}.`;
}

/** Nobody answered. */
export class Unreachable extends Error {
  constructor() {
    super(m.frame.noAnswer);
  }
}

interface ProblemDocument {
  title?: string;
  detail?: string;
  retry_after_s?: number;
}

export const root = '/api/v1';

async function ask(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(root + path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    server.heard(false);
    throw new Unreachable();
  }
  // A gateway that finds nobody answers so.
  server.heard(response.status !== 502 && response.status !== 504);
  // Where a token is needed, the server has a page to type it.
  if (response.status === 401) location.assign('/login');
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function problemOf(response: Response): Promise<Error> {
  try {
    const document = (await response.json()) as ProblemDocument;
    const detail = document.detail ?? document.title ?? response.statusText;
    return new Problem(response.status, detail, document.retry_after_s);
  } catch {
    // A gateway's page in place of a problem: what stands behind it is not there.
    if (response.status >= 502 && response.status <= 504) return new Unreachable();
    return new Problem(response.status, `${response.status} ${response.statusText}`);
  }
}

export async function get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return (await (await ask('GET', path, undefined, signal)).json()) as Answer;
}

/** Why a stream is refused, which an `EventSource` does not tell, and whether it may be granted later. */
export async function refusal(path: string): Promise<{ why: string | undefined; temporary: boolean }> {
  const asking = new AbortController();
  try {
    await ask('GET', path, undefined, asking.signal);
    asking.abort();
    return { why: undefined, temporary: true };
  } catch (error) {
    const temporary =
      error instanceof Unreachable ||
      (error instanceof Problem && (error.status === 429 || error.status === 503));
    return { why: error instanceof Error ? error.message : undefined, temporary };
  }
}

export async function getText(path: string): Promise<string> {
  return (await ask('GET', path)).text();
}

export async function post<Answer>(path: string, body: unknown, signal?: AbortSignal): Promise<Answer> {
  return (await (await ask('POST', path, body, signal)).json()) as Answer;
}

export async function remove(path: string): Promise<void> {
  await ask('DELETE', path);
}

/** Whether the server answers. */
export async function reachable(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
