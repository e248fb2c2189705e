/**
 * The page's texts: one catalogue for each language, English complete and always there. A text is a string, or a function of
 * what it tells. `m.play.start` in a component changes when the language does.
 */
import { settings } from '../state/settings.svelte';
import { en } from './en';

/** Every text of English in the shape that another language has to fill. */
type Translated<Entry> = Entry extends string
  ? string
  : Entry extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { [Key in keyof Entry]: Translated<Entry[Key]> };

export type Catalogue = Translated<typeof en>;
export type Language = 'en' | 'de';

class Texts {
  language = $state<Language>('en');
  catalogue = $state.raw<Catalogue>(en);

  /** Shows the texts of a language; others than English are fetched when they are first asked for. */
  async speak(language: Language): Promise<void> {
    if (language === this.language) return;
    this.language = language;
    document.documentElement.lang = language;
    try {
      const found: Catalogue = language === 'de' ? (await import('./de')).de : en;
      if (this.language === language) this.catalogue = found;
    } catch {
      // The file could not be fetched: the page is English rather than blank.
      this.language = 'en';
      document.documentElement.lang = 'en';
    }
  }
}

export const texts = new Texts();

/** The language of a setting; "auto" is the browser's, where there is a catalogue for it. */
export function languageOf(setting: 'auto' | Language, browser: readonly string[]): Language {
  if (setting !== 'auto') return setting;
  const wanted = browser.map((tag) => tag.slice(0, 2)).find((tag) => tag === 'de' || tag === 'en');
  return wanted === 'de' ? 'de' : 'en';
}

/** Follows the setting; done when its texts are there, or cannot be had. */
export function follow(): Promise<void> {
  return texts.speak(languageOf(settings.language, navigator.languages));
}

/** The texts in the language shown. */
export const m = new Proxy({} as Catalogue, {
  get: (_, section) => texts.catalogue[section as keyof Catalogue],
});
