/**
 * Where the person is: `#/play/ID?key=value`. The part after `#` never reaches the server, so every address works
 * wherever the page is served from.
 */

export const pages = ['play', 'see', 'review', 'quantum', 'arena', 'lab'] as const;
export type Page = (typeof pages)[number];

export interface Route {
  page: Page;
  /** What of the page is meant: a game, a run. */
  id: string | undefined;
  query: URLSearchParams;
}

/** Reads an address's part after `#`; what it does not know is the first page. */
export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [first = '', id] = path.split('/', 2);
  const page = pages.find((known) => known === first) ?? 'play';
  return { page, id: id ? decodeURIComponent(id) : undefined, query: new URLSearchParams(query) };
}

/** The address of a page. */
export function href(page: Page, id?: string, query?: Record<string, string>): string {
  const tail = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  return `#/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${tail}`;
}
