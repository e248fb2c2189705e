/**
 * Where the person is: `#/play/ID?key=value`. The part after `#` never reaches the server, so every address works
 * wherever the page is served from.
 */

export const pages = ['play', 'analyse', 'practise', 'arena', 'quantum', 'lab'] as const;
export type Page = (typeof pages)[number];

export interface Route {
  page: Page;
  /** What of the page is meant: a game, a run. */
  id: string | undefined;
  query: URLSearchParams;
}

/** Pages that were once of their own. */
const moved: Record<string, Page> = { see: 'analyse', review: 'analyse' };

/** Reads an address's part after `#`; what it does not know is the first page. */
export function parse(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [first = '', id] = path.split('/', 2);
  const page = pages.find((known) => known === first) ?? moved[first] ?? 'play';
  return { page, id: id ? decoded(id) : undefined, query: new URLSearchParams(query) };
}

/** A text that is not well encoded stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address that stands for this one today, if it is one of a page that has moved. */
export function redirect(hash: string): string | undefined {
  const match = /^#\/(\w+)/.exec(hash);
  const page = match?.[1] === undefined ? undefined : moved[match[1]];
  return match && page ? `#/${page}${hash.slice(match[0].length)}` : undefined;
}

/** The address of a page. */
export function href(page: Page, id?: string, query?: Record<string, string>): string {
  const tail = query && Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  return `#/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${tail}`;
}
