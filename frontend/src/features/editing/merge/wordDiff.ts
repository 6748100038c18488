/** A run of words that stayed, went or came. */
export interface Piece {
  is: 'same' | 'del' | 'ins';
  text: string;
}

/** A table with more cells would stop the page: such long texts are shown as replaced by each other. */
const mostCells = 4_000_000;

/** What has become of a text, word by word, the old words before the new ones. */
export function differ(before: string, now: string): Piece[] {
  return join(align(words(before), words(now)));
}

const words = (text: string) => text.match(/\s+|[^\s]+/g) ?? [];

/** What has become of a list of paragraphs: those that stayed are `same`, and a changed one is a `del` before an `ins`. */
export function align(before: readonly string[], now: readonly string[]): Piece[] {
  const start = before.findIndex((word, at) => word !== now[at]);
  const head = start === -1 ? Math.min(before.length, now.length) : start;
  let tail = 0;
  while (tail < Math.min(before.length, now.length) - head && before.at(-1 - tail) === now.at(-1 - tail))
    tail += 1;
  const is = (kind: Piece['is'], list: readonly string[]) => list.map((text): Piece => ({ is: kind, text }));
  return [
    ...is('same', before.slice(0, head)),
    ...longest(before.slice(head, before.length - tail), now.slice(head, now.length - tail)),
    ...is('same', before.slice(before.length - tail)),
  ];
}

/** By the longest common subsequence. */
function longest(before: readonly string[], now: readonly string[]): Piece[] {
  const width = now.length + 1;
  const lengths =
    before.length * now.length > mostCells ? undefined : new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => lengths?.[i * width + j] ?? 0;
  if (lengths)
    for (let i = before.length - 1; i >= 0; i -= 1)
      for (let j = now.length - 1; j >= 0; j -= 1)
        lengths[i * width + j] =
          before[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pieces: Piece[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < now.length) {
    const old = before[i];
    const fresh = now[j];
    if (lengths && old !== undefined && old === fresh) {
      pieces.push({ is: 'same', text: old });
      i += 1;
      j += 1;
    } else if (old !== undefined && (fresh === undefined || !lengths || at(i + 1, j) >= at(i, j + 1))) {
      pieces.push({ is: 'del', text: old });
      i += 1;
    } else {
      pieces.push({ is: 'ins', text: fresh ?? '' });
      j += 1;
    }
  }
  return pieces;
}

/** Joins neighbours of a kind; a lone space between two changes belongs to both. */
function join(pieces: readonly Piece[]): Piece[] {
  const runs: { same: string; del: string; ins: string }[] = [];
  let run = { same: '', del: '', ins: '' };
  pieces.forEach((piece, place) => {
    const isGlue =
      piece.is === 'same' && piece.text.trim() === '' && (run.del || run.ins) && isChange(pieces[place + 1]);
    if (isGlue) {
      if (run.del) run.del += piece.text;
      if (run.ins) run.ins += piece.text;
    } else if (piece.is === 'same') {
      if (run.del || run.ins) {
        runs.push(run);
        run = { same: '', del: '', ins: '' };
      }
      run.same += piece.text;
    } else {
      if (run.same) {
        runs.push(run);
        run = { same: '', del: '', ins: '' };
      }
      run[piece.is] += piece.text;
    }
  });
  runs.push(run);
  return runs
    .flatMap((one) => (['same', 'del', 'ins'] as const).map((is) => ({ is, text: one[is] })))
    .filter(({ text }) => text);
}

const isChange = (piece: Piece | undefined) => piece !== undefined && piece.is !== 'same';
