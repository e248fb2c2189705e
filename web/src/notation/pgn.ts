/** A game as PGN, so that it can be copied whether or not the server answers. */
import { numbered, startFen } from './line';

export interface PgnGame {
  white: string;
  black: string;
  result: string;
  event: string;
  date: string;
  fen: string;
  chess960?: boolean;
  moves: { san: string }[];
}

/** Lines end before this many characters, as the format's export form has it. */
const width = 80;

function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
}

export function writePgn(game: PgnGame): string {
  const tags: [string, string][] = [
    ['Event', game.event],
    ['Site', '?'],
    ['Date', game.date],
    ['Round', '?'],
    ['White', game.white],
    ['Black', game.black],
    ['Result', game.result],
  ];
  if (game.chess960) tags.push(['Variant', 'Chess960']);
  if (game.fen !== startFen || game.chess960) tags.push(['SetUp', '1'], ['FEN', game.fen]);
  const head = tags.map(([name, value]) => `[${name} "${quoted(value)}"]`).join('\n');
  const moves = numbered(
    game.fen,
    game.moves.map(({ san }) => ({ san, uci: '', fen: '' })),
  ).replace('… ', '... ');
  return `${head}\n\n${wrapped(`${moves} ${game.result}`.trim())}\n`;
}
