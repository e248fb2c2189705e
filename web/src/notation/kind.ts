/** What kind of run it is, in the language of the page; kinds that it does not know keep their name. */
import { m } from '../text/catalogue.svelte';

export const kindOf = (kind: string): string => (m.arena.kinds as Record<string, string>)[kind] ?? kind;
