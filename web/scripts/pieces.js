// The sprite of the pieces, made from the drawings of crates/draw so that page and pictures have the same set.
//
// Two rows of six: above, what of a piece is filled; below, its lines. Both are shapes only, without a colour: the
// page uses them as masks and colours them by theme. Run by `npm run pieces`; a unit test holds it up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const drawings = fileURLToPath(new URL('../../crates/draw/src/pieces.rs', import.meta.url));
const sprite = fileURLToPath(new URL('../src/theme/pieces.svg', import.meta.url));

/** In the order of their columns. */
const roles = ['PAWN', 'KNIGHT', 'BISHOP', 'ROOK', 'QUEEN', 'KING'];
const lineWidth = 4;

/** Parts (lowest first) and lines of a piece, read from the Rust source. */
function drawing(source, role) {
  const base = /const BASE: &str = "([^"]+)"/.exec(source)?.[1];
  const body = new RegExp(`const ${role}: Shape = Shape \\{([\\s\\S]*?)\\n\\};`).exec(source)?.[1];
  if (!base || !body) throw new Error(`no drawing of ${role} in ${drawings}`);
  const [parts = '', lines = ''] = body.split('lines:');
  const paths = (text) =>
    [...text.matchAll(/BASE|"([^"]+)"/g)].map((match) => (match[0] === 'BASE' ? base : match[1]));
  return { parts: paths(parts), lines: paths(lines) };
}

export function draw() {
  const source = readFileSync(drawings, 'utf8');
  const stroke = `stroke-width="${lineWidth}" stroke-linejoin="round" stroke-linecap="round"`;
  const columns = roles.map((role, column) => {
    const { parts, lines } = drawing(source, role);
    const all = parts.join('');
    // A part hides the lines of those below it, so lines are cut out by light and dark, part after part.
    const cut = parts.map((path) => `<path d="${path}"/>`).join('');
    const extra = lines.length ? `<path fill="none" d="${lines.join('')}"/>` : '';
    return (
      `<mask id="m${column}"><g fill="#000" stroke="#fff" ${stroke}>${cut}${extra}</g></mask>` +
      `<g transform="translate(${column * 100})"><path d="${all}"/></g>` +
      `<g transform="translate(${column * 100} 100)"><rect width="100" height="100" mask="url(#m${column})"/></g>`
    );
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 200" width="600" height="200">${columns.join('')}</svg>\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(sprite, draw());
  console.log(`wrote ${sprite}`);
}
