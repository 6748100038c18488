/** A part of a text; marked ones are underlined. */
export interface MarkedPart {
  text: string;
  isMarked: boolean;
}

/** The most letters after a stem that belong to its word: of saunassa, but not of saunalautta. */
const longestEnding = 4;

/**
 * Splits a text so that the words of a search are marked in it. Marks are in lower case and without accents, the longest
 * first. A word that a mark begins is marked whole, unless so much follows that it is a compound; of a compound the part is.
 */
export function markedParts(text: string, marks: readonly string[]): MarkedPart[] {
  return text
    .split(/([\p{L}\p{N}\p{M}]+)/u)
    .flatMap((piece, place) =>
      place % 2 === 1 ? wordParts(piece, marks) : [{ text: piece, isMarked: false }],
    )
    .filter((part) => part.text !== '');
}

/** Whether anything is marked in a text. */
export function hasMarks(text: string, marks: readonly string[]): boolean {
  return markedParts(text, marks).some(({ isMarked }) => isMarked);
}

function wordParts(word: string, marks: readonly string[]): MarkedPart[] {
  const letters = Array.from(word.normalize('NFC'));
  const plain = letters.map((letter) => letter.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase());
  for (const mark of marks) {
    const at = placeOf(plain, Array.from(mark));
    if (at === undefined) continue;
    const end = at + Array.from(mark).length;
    const isWhole = at === 0 && letters.length - end <= longestEnding;
    return [
      { text: letters.slice(0, isWhole ? 0 : at).join(''), isMarked: false },
      { text: letters.slice(isWhole ? 0 : at, isWhole ? undefined : end).join(''), isMarked: true },
      { text: isWhole ? '' : letters.slice(end).join(''), isMarked: false },
    ];
  }
  return [{ text: word, isMarked: false }];
}

/** Where the letters of a mark begin in a word: at its beginning, or for four letters and more after two others. */
function placeOf(word: readonly string[], mark: readonly string[]): number | undefined {
  if (mark.length === 0) return undefined;
  for (let at = 0; at + mark.length <= word.length; at += 1) {
    if (at > 0 && (at < 2 || mark.length < 4)) continue;
    if (mark.every((letter, place) => word[at + place] === letter)) return at;
  }
  return undefined;
}
