// What the first page costs on the wire: everything it loads, compressed.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
/** What the first view may cost, in kilobytes. */
const most = 150;
const seen = new Map();

/** Adds a file and whatever it loads without being asked. */
function add(path) {
  const name = path.replace(/^\//, '');
  if (seen.has(name)) return;
  const body = readFileSync(new URL(name, dist));
  seen.set(name, [body.length, gzipSync(body, { level: 9 }).length]);
  const text = body.toString();
  const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/') + 1) : '';
  if (name.endsWith('.html')) for (const [, link] of text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) add(link);
  if (name.endsWith('.css')) {
    for (const [, link] of text.matchAll(/url\(["']?([^)"']+)/g))
      if (!link.startsWith('data:')) add(link.startsWith('/') ? link : folder + link);
  }
  if (name.endsWith('.js')) {
    for (const [, link] of text.matchAll(/(?:import|from)\s*["']\.\/([^"']+)["']/g)) add(folder + link);
  }
}

add('index.html');
let total = 0;
for (const [name, [plain, packed]] of seen) {
  total += packed;
  console.log(`${String(plain).padStart(8)} ${String(packed).padStart(8)}  ${name}`);
}
console.log(`the first page: ${(total / 1000).toFixed(1)} kB compressed in ${seen.size} files`);
if (total > most * 1000) {
  console.error(`more than the ${most} kB that the first view may cost`);
  process.exitCode = 1;
}
