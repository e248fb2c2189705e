/** What the person prefers, kept in the browser: nothing here is known to the server. */

export type Theme = 'terminal' | 'paper';

interface Settings {
  theme: Theme;
  sound: boolean;
  /** Names of files and ranks on the board. */
  coordinates: boolean;
  /** The evaluation bar beside the board while playing. */
  bar: boolean;
}

const key = 'tabia.settings';
const defaults: Settings = { theme: 'terminal', sound: true, coordinates: true, bar: true };

function load(): Settings {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Settings>;
    const theme = stored.theme === 'paper' ? 'paper' : 'terminal';
    return { ...defaults, ...stored, theme };
  } catch {
    return { ...defaults };
  }
}

export const settings = $state(load());

/** Changes one setting and keeps it. */
export function prefer<Name extends keyof Settings>(name: Name, value: Settings[Name]): void {
  settings[name] = value;
  if (name === 'theme') document.documentElement.dataset.theme = settings.theme;
  try {
    localStorage.setItem(key, JSON.stringify(settings));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
