/** Arrow keys go through the moves of whatever is shown; up and down to the ends. */

export interface Browsable {
  ply: number;
  moves: unknown[];
  go(ply: number): void;
}

/** Where the arrows mean something else: in a text, in a dialog, and on the board's squares once a key has gone there. */
const typing = 'textarea, select, dialog, input:not([type="checkbox"]), [role="grid"]';

/** Whether the key was for that. */
export function browse(event: KeyboardEvent, game: Browsable | undefined): boolean {
  if (!game || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  if (event.target instanceof HTMLElement && event.target.closest(typing)) return false;
  const target = {
    ArrowLeft: game.ply - 1,
    ArrowRight: game.ply + 1,
    ArrowUp: 0,
    Home: 0,
    ArrowDown: game.moves.length,
    End: game.moves.length,
  }[event.key];
  if (target === undefined) return false;
  event.preventDefault();
  game.go(target);
  return true;
}
