/** What the person prefers, kept in the browser: nothing here is known to the server. */

export const themes = ['auto', 'light', 'dark', 'terminal'] as const;
export const boards = ['auto', 'wood', 'slate', 'green', 'terminal'] as const;
export const pieceSets = ['auto', 'cburnett', 'tabia'] as const;
export const languages = ['auto', 'en', 'de'] as const;

export type Theme = (typeof themes)[number];
/** A theme that is painted: "auto" is light or dark. */
export type Look = Exclude<Theme, 'auto'>;

export interface Settings {
  theme: Theme;
  board: (typeof boards)[number];
  pieces: (typeof pieceSets)[number];
  language: (typeof languages)[number];
  sound: boolean;
  /** Pieces glide to their squares. */
  animation: boolean;
  coordinates: boolean;
  /** The evaluation bar beside the board while playing. */
  bar: boolean;
  /** Only the board and the clocks while playing. */
  zen: boolean;
  /** A pawn on the last rank becomes a queen without a question. */
  autoQueen: boolean;
  confirmResign: boolean;
}

const key = 'tabia.settings';
const defaults: Settings = {
  theme: 'auto',
  board: 'auto',
  pieces: 'auto',
  language: 'auto',
  sound: true,
  animation: true,
  coordinates: true,
  bar: false,
  zen: false,
  autoQueen: false,
  confirmResign: true,
};

/** `?theme=terminal` in the address holds for this visit. */
function asked(): Theme | undefined {
  const name = new URLSearchParams(location.search).get('theme');
  return themes.find((theme) => theme === name);
}

function load(): Settings {
  let stored: Partial<Record<keyof Settings, unknown>> = {};
  try {
    stored = (JSON.parse(localStorage.getItem(key) ?? '{}') ?? {}) as typeof stored;
  } catch {
    // Without storage, or with another's text in it, the defaults hold.
  }
  const one = <Value extends string>(values: readonly Value[], value: unknown, other: Value): Value =>
    values.find((known) => known === value) ?? other;
  const flag = (name: keyof Settings): boolean =>
    typeof stored[name] === 'boolean' ? stored[name] : (defaults[name] as boolean);
  return {
    // The light theme was once called paper.
    theme: asked() ?? one(themes, stored.theme === 'paper' ? 'light' : stored.theme, defaults.theme),
    board: one(boards, stored.board, defaults.board),
    pieces: one(pieceSets, stored.pieces, defaults.pieces),
    language: one(languages, stored.language, defaults.language),
    sound: flag('sound'),
    animation: flag('animation'),
    coordinates: flag('coordinates'),
    bar: flag('bar'),
    zen: flag('zen'),
    autoQueen: flag('autoQueen'),
    confirmResign: flag('confirmResign'),
  };
}

export const settings = $state(load());

class Screen {
  /** Whether the system asks for dark colours. */
  dark = $state(false);

  constructor() {
    if (typeof matchMedia === 'undefined') return;
    const query = matchMedia('(prefers-color-scheme: dark)');
    this.dark = query.matches;
    query.addEventListener('change', () => {
      this.dark = query.matches;
      paint();
    });
  }
}

const screen = new Screen();

/** What is painted now. */
export function look(): Look {
  if (settings.theme !== 'auto') return settings.theme;
  return screen.dark ? 'dark' : 'light';
}

function paint(): void {
  const { dataset } = document.documentElement;
  const theme = look();
  dataset.theme = theme;
  dataset.board = settings.board === 'auto' ? (theme === 'terminal' ? 'terminal' : 'wood') : settings.board;
  dataset.pieces =
    settings.pieces === 'auto' ? (theme === 'terminal' ? 'tabia' : 'cburnett') : settings.pieces;
}

paint();

/** Changes one setting and keeps it. */
export function prefer<Name extends keyof Settings>(name: Name, value: Settings[Name]): void {
  settings[name] = value;
  paint();
  try {
    localStorage.setItem(key, JSON.stringify(settings));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
