import { findQuote, highlight } from './quote';

function story(html: string): HTMLElement {
  document.body.innerHTML = html;
  return document.body;
}

test.each([
  ['words within a paragraph', 'kuusi kerrallaan', 'kuusi kerrallaan'],
  ['words over formatting', 'menee kuusi', 'menee kuusi'],
  ['a selection over two paragraphs', 'Katolle ei.\n\nYlös menee', 'Katolle ei.Ylös menee'],
])('%s are found', (_, quote, found) => {
  const root = story('<p>Katolle ei.</p><p>Ylös <em>menee</em> kuusi kerrallaan.</p>');
  expect(findQuote(root, quote)?.toString()).toBe(found);
});

test.each(['viisi', '', '  '])('"%s" is not found', (quote) => {
  expect(findQuote(story('<p>Ylös menee kuusi.</p>'), quote)).toBeUndefined();
});

test('without the highlight API nothing fails', () => {
  expect(() => highlight([document.createRange()])).not.toThrow();
});
