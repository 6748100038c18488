/** How many months ahead a delivery can be promised. */
const ahead = 48;

/** The months to choose from as YYYY-MM, from the current one on; `chosen` is included even if it has passed. */
export function months(now: number, chosen: string): string[] {
  const first = new Date(now);
  const coming = Array.from({ length: ahead }, (_, place) =>
    new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + place, 1)).toISOString().slice(0, 7),
  );
  return chosen && !coming.includes(chosen) ? [chosen, ...coming].sort() : coming;
}

/** A delivery in the contract's format: YYYY-MM, or YYYY-MM/YYYY-MM if the last month is later than the first. */
export const monthsOf = (first: string, last: string): string =>
  first && last > first ? `${first}/${last}` : first;
