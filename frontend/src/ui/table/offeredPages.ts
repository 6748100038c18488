/** The pages that are offered: the first, the last, and those around the current one; 0 stands for a gap. */
export function offeredPages(current: number, last: number): number[] {
  const near = [1, current - 1, current, current + 1, last].filter((page) => page >= 1 && page <= last);
  const shown = [...new Set(last <= 7 ? Array.from({ length: last }, (_, place) => place + 1) : near)];
  shown.sort((a, b) => a - b);
  return shown.flatMap((page, place) =>
    place > 0 && page - (shown[place - 1] ?? 0) > 1 ? [0, page] : [page],
  );
}
