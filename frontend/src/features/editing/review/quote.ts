const whiteSpace = /\s/g;

/**
 * Finds quoted words in an element; undefined if they are not there. White space is ignored, because a selection over
 * two paragraphs has line breaks that are not in their text nodes.
 */
export function findQuote(root: Element, quote: string): Range | undefined {
  const wanted = quote.replace(whiteSpace, '');
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const places: { node: Node; offset: number }[] = [];
  let text = '';
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (let offset = 0; offset < (node.nodeValue?.length ?? 0); offset += 1) {
      const letter = node.nodeValue?.[offset] ?? '';
      if (letter.trim() === '') continue;
      text += letter;
      places.push({ node, offset });
    }
  const at = wanted ? text.indexOf(wanted) : -1;
  const [first, last] = [places[at], places[at + wanted.length - 1]];
  if (!first || !last) return undefined;
  const range = document.createRange();
  range.setStart(first.node, first.offset);
  range.setEnd(last.node, last.offset + 1);
  return range;
}

/** The highlight's name, for ::highlight() in NotedStory.module.css. */
const highlightName = 'tk-review-quote';

/** Highlights ranges with the CSS Custom Highlight API. Browsers without it show only the frames of NotedStory. */
export function highlight(ranges: readonly Range[]): void {
  if (typeof Highlight === 'undefined') return;
  if (ranges.length > 0) CSS.highlights.set(highlightName, new Highlight(...ranges));
  else CSS.highlights.delete(highlightName);
}
