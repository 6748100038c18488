const whiteSpace = /\s/g;

/**
 * The place of quoted words in an element, or undefined. White space does not count: a selection over two paragraphs has
 * a line break where their text nodes have none.
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

/** The name under which styles know the quoted words; see NotedStory.module.css. */
const highlightName = 'tk-review-quote';

/** Marks words on the page without touching its elements; browsers without highlights show the frames around them alone. */
export function highlight(ranges: readonly Range[]): void {
  if (typeof Highlight === 'undefined') return;
  if (ranges.length > 0) CSS.highlights.set(highlightName, new Highlight(...ranges));
  else CSS.highlights.delete(highlightName);
}
