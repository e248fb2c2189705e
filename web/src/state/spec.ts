/** Agent specs, as everywhere in the laboratory: `name(key=value,…)`. */

export interface Spec {
  name: string;
  options: Record<string, string>;
}

/** Writes a spec; options without a value are left out. */
export function writeSpec({ name, options }: Spec): string {
  const given = Object.entries(options).filter(([, value]) => value.trim() !== '');
  return given.length === 0
    ? name
    : `${name}(${given.map(([key, value]) => `${key}=${value.trim()}`).join(',')})`;
}

/** Reads a spec: a part without `=` goes on with the value before it, commas in parentheses do not divide. */
export function readSpec(text: string): Spec {
  const open = text.indexOf('(');
  if (open < 0) return { name: text.trim(), options: {} };
  const inside = text.slice(open + 1, text.lastIndexOf(')'));
  const options: Record<string, string> = {};
  let last = '';
  for (const part of split(inside)) {
    const equals = part.indexOf('=');
    if (equals > 0) {
      last = part.slice(0, equals).trim();
      options[last] = part.slice(equals + 1).trim();
    } else if (last) options[last] += `,${part}`;
  }
  return { name: text.slice(0, open).trim(), options };
}

function split(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const letter of text) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += letter;
  }
  return part === '' ? parts : [...parts, part];
}
