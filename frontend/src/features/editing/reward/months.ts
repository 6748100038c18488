/** How far ahead something can be promised. */
const ahead = 48;

/** The coming months as YYYY-MM, from the one that it is; a chosen one stays in the list after it has passed. */
export function months(now: number, chosen: string): string[] {
  const first = new Date(now);
  const coming = Array.from({ length: ahead }, (_, place) =>
    new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + place, 1)).toISOString().slice(0, 7),
  );
  return chosen && !coming.includes(chosen) ? [chosen, ...coming].sort() : coming;
}

/** The months of delivery as the contract has them: one, or the first and the last, when that is later. */
export const monthsOf = (first: string, last: string): string =>
  first && last > first ? `${first}/${last}` : first;
