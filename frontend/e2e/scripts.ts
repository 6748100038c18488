import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Matches the address of the script of a chunk, by the name that the app imports it with. */
export function scriptOf(chunk: string): RegExp {
  const file = path.resolve(__dirname, '../dist/scripts.json');
  const name = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[chunk];
  if (!name) throw new Error(`The build has no chunk named ${chunk}.`);
  return new RegExp(`/${name.replaceAll('.', '\\.')}$`);
}
