/** A move as it is said: "knight takes f6, check". */

const names: Record<string, string> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };

export function spokenSan(san: string): string {
  const end = san.endsWith('#') ? ', checkmate' : san.endsWith('+') ? ', check' : '';
  const core = san.replace(/[+#!?]+$/, '');
  if (core === 'O-O') return `castles kingside${end}`;
  if (core === 'O-O-O') return `castles queenside${end}`;
  const [move = core, promotion] = core.split('=');
  const role = names[move[0] ?? ''];
  const body = (role ? move.slice(1) : move).replace('x', ' takes ');
  const words = `${role ? `${role} ` : ''}${body}`.replace(/\s+/g, ' ').trim();
  return `${words}${promotion ? `, promotes to ${names[promotion] ?? promotion}` : ''}${end}`;
}
