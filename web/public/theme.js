// Before anything is painted: the theme that was chosen last time, so that the page does not flash.
try {
  const theme = JSON.parse(localStorage.getItem('tabia.settings') ?? '{}').theme;
  if (theme === 'paper' || theme === 'terminal') document.documentElement.dataset.theme = theme;
} catch {
  // A browser without storage gets the default.
}
