/** Which square is under the pointer. */
import type { Color, Key } from '@lichess-org/chessground/types';
import { squares } from './squares';

export function squareAt(event: MouseEvent, board: HTMLElement, orientation: Color): Key | undefined {
  const { left, top, width, height } = board.getBoundingClientRect();
  const column = Math.floor(((event.clientX - left) / width) * 8);
  const row = Math.floor(((event.clientY - top) / height) * 8);
  if (column < 0 || column > 7 || row < 0 || row > 7) return undefined;
  return squares(orientation)[row * 8 + column];
}
