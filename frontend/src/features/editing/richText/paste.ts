/** Elements that are removed with their content. */
const unwanted =
  'style, script, meta, link, title, xml, template, iframe, object, embed, form, input, button, svg';

/**
 * Prepares pasted HTML for the editor: Word's paragraphs that look like lists become lists, headings become two levels,
 * and pictures are removed, because every reader would load them from somebody else's server. Everything else that the
 * editor does not support is dropped by its schema.
 */
export function cleanPaste(html: string): string {
  // Copied within the editor (ProseMirror's marker): nothing to clean.
  if (html.includes('data-pm-slice')) return html;
  const { body } = new DOMParser().parseFromString(withoutOfficeTags(html), 'text/html');
  for (const element of body.querySelectorAll(unwanted)) element.remove();
  for (const picture of body.querySelectorAll('img, picture, video, audio, figure > figcaption'))
    picture.remove();
  makeLists(body);
  for (const heading of body.querySelectorAll('h1, h4, h5, h6'))
    rename(heading, heading.matches('h1') ? 'h2' : 'h3');
  for (const cell of body.querySelectorAll('td, th')) rename(cell, 'p');
  // Google Docs wraps everything in a <b> with a normal weight.
  for (const bold of body.querySelectorAll<HTMLElement>('b, strong'))
    if (bold.style.fontWeight === 'normal') bold.replaceWith(...bold.childNodes);
  return body.innerHTML;
}

/** Removes Office's own tags (o:p) and the conditional comments around Word's list markers. */
function withoutOfficeTags(html: string): string {
  return html
    .replace(/<!--\[if[\s\S]*?<!\[endif\]-->/g, '')
    .replace(/<!\[if[^>]*>[\s\S]*?<!\[endif\]>/g, '')
    .replace(/<\/?[a-z]+:[a-z]+[^>]*>/gi, '');
}

const bullet = /^[\s\u00a0]*([·•▪–o§-]|\d{1,3}[.)]|[a-z][.)])[\s\u00a0]+/;

/** Word writes list items as paragraphs with a class or style, each beginning with its bullet or number as text. */
function makeLists(body: HTMLElement): void {
  let list: HTMLElement | undefined;
  for (const paragraph of body.querySelectorAll<HTMLElement>('p')) {
    const isItem =
      paragraph.className.includes('MsoListParagraph') ||
      paragraph.getAttribute('style')?.includes('mso-list');
    if (!isItem) {
      list = undefined;
      continue;
    }
    const mark = bullet.exec(paragraph.textContent)?.[1] ?? '';
    const kind = /[\da-z][.)]/.test(mark) ? 'ol' : 'ul';
    if (list?.localName !== kind || paragraph.previousElementSibling !== list) {
      list = document.createElement(kind);
      paragraph.before(list);
    }
    removeBeginning(paragraph, bullet.exec(paragraph.textContent)?.[0].length ?? 0);
    const item = document.createElement('li');
    item.append(...paragraph.childNodes);
    list.append(item);
    paragraph.remove();
  }
}

/** Removes so many characters from the beginning, across nested elements. */
function removeBeginning(element: Node, length: number): void {
  let left = length;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text && left > 0; text = walker.nextNode()) {
    const value = text.nodeValue ?? '';
    text.nodeValue = value.slice(left);
    left -= Math.min(left, value.length);
  }
}

function rename(element: Element, name: string): void {
  const renamed = document.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
}
