// Before anything is painted: the look that was chosen, so that the page does not flash. The same rules as in
// src/state/settings.svelte.ts.
(() => {
  const root = document.documentElement;
  let stored = {};
  try {
    stored = JSON.parse(localStorage.getItem('tabia.settings') ?? '{}') ?? {};
  } catch {
    // A browser without storage gets the defaults.
  }
  const asked = new URLSearchParams(location.search).get('theme') ?? stored.theme;
  const known = { paper: 'light', light: 'light', dark: 'dark', terminal: 'terminal' };
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const theme = known[asked] ?? system;
  const chosen = (value) => (value && value !== 'auto' ? value : undefined);
  root.dataset.theme = theme;
  root.dataset.board = chosen(stored.board) ?? (theme === 'terminal' ? 'terminal' : 'wood');
  root.dataset.pieces = chosen(stored.pieces) ?? (theme === 'terminal' ? 'tabia' : 'cburnett');
})();
