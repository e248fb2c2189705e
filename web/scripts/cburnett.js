// The standard pieces (Colin M. L. Burnett's, as chessground ships them) for the board and for small pictures in the text.
// Run by `npm run pieces`; a unit test holds the result up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(
  new URL('../node_modules/@lichess-org/chessground/assets/chessground.cburnett.css', import.meta.url),
);
const target = fileURLToPath(new URL('../src/theme/cburnett.css', import.meta.url));

export function cburnett() {
  const rules = [
    ...readFileSync(source, 'utf8').matchAll(
      /piece\.(\w+)\.(\w+)\s*{\s*background-image:\s*url\('([^']+)'\)/g,
    ),
  ].map(
    ([, role, color, url]) =>
      `[data-pieces='cburnett'] :is(.cg-wrap piece, .piece).${role}.${color} {\n  background-image: url('${url}');\n}\n`,
  );
  return (
    '/* Made by `npm run pieces` from chessground; GPL-2.0-or-later, Colin M. L. Burnett. */\n' +
    rules.join('\n')
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(target, cburnett());
  console.log(`wrote ${target}`);
}
