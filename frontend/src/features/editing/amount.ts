/** A sum as it is typed, in cents: with a comma or a point, with or without spaces. Undefined for what is no sum. */
export function minorOf(typed: string): number | undefined {
  const text = typed.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.');
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text)) return undefined;
  return Math.round(Number(text) * 100);
}

/** A sum for a field to type in: cents only when there are any. */
export function writtenMinor(minor: number): string {
  return minor % 100 === 0 ? String(minor / 100) : (minor / 100).toFixed(2).replace('.', ',');
}
