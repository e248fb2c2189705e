/** A move as it is said: "knight takes f6, check". */
import { m } from '../text/catalogue.svelte';

const roles = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' } as const;
const roleOf = (letter: string | undefined): string => {
  const role = roles[(letter ?? '') as keyof typeof roles];
  return role ? m.piece.role[role] : '';
};

export function spokenSan(san: string): string {
  const end = san.endsWith('#') ? `, ${m.speech.mate}` : san.endsWith('+') ? `, ${m.speech.check}` : '';
  const core = san.replace(/[+#!?]+$/, '');
  if (core === 'O-O') return `${m.speech.short}${end}`;
  if (core === 'O-O-O') return `${m.speech.long}${end}`;
  const [move = core, promotion] = core.split('=');
  const role = roleOf(move[0]);
  const body = (role ? move.slice(1) : move).replace('x', ` ${m.speech.takes} `);
  const words = `${role} ${body}`.replace(/\s+/g, ' ').trim();
  return `${words}${promotion ? `, ${m.speech.promotes(roleOf(promotion) || promotion)}` : ''}${end}`;
}
