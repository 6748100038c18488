import { playerAddress } from '../../../domain/playerAddress';

/** Elements that are removed with their content. */
const unwanted =
  'style, script, meta, link, title, xml, template, iframe, object, embed, form, input, button, svg';

/** Pasted HTML as the editor takes it, and what had to be left out. */
export interface CleanPaste {
  html: string;
  /** The number of pictures that were left out. */
  pictures: number;
  /** The number of players and other frames that were left out. */
  players: number;
}

/**
 * Prepares pasted HTML for the editor: Word's paragraphs that look like lists become lists, headings become two levels,
 * a table's rows become lines, players of known services become players. Pictures are left out, because every reader
 * would load them from somebody else's server. Everything else that the editor does not support is dropped by its schema.
 */
export function cleanPaste(html: string, hasSound: boolean): CleanPaste {
  // Copied within the editor (ProseMirror's marker): nothing to clean.
  if (html.includes('data-pm-slice')) return { html, pictures: 0, players: 0 };
  const { body } = new DOMParser().parseFromString(withoutOfficeTags(html), 'text/html');
  for (const frame of body.querySelectorAll('iframe')) makePlayer(frame, hasSound);
  const players = body.querySelectorAll('iframe, object, embed, video, audio').length;
  for (const element of body.querySelectorAll(unwanted)) element.remove();
  const pictures = [...body.querySelectorAll('img')].filter(isShown).length;
  for (const picture of body.querySelectorAll('img, picture, video, audio, figure > figcaption'))
    picture.remove();
  makeLists(body);
  for (const heading of body.querySelectorAll('h1, h4, h5, h6'))
    rename(heading, heading.matches('h1') ? 'h2' : 'h3');
  makeLines(body);
  // Google Docs wraps everything in a <b> with a normal weight.
  for (const bold of body.querySelectorAll<HTMLElement>('b, strong'))
    if (bold.style.fontWeight === 'normal') bold.replaceWith(...bold.childNodes);
  return { html: body.innerHTML, pictures, players };
}

/** Whether pasted HTML is one picture without words, as "copy image" of browsers gives it beside the file. */
export function isOnePicture(html: string): boolean {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return body.querySelectorAll('img').length === 1 && body.textContent.trim() === '';
}

/** Not one of the pixels by which mails and pages count their readers. */
const isShown = (picture: HTMLImageElement) =>
  !['width', 'height'].some((side) => /^[01]$/.test(picture.getAttribute(side) ?? ''));

/** A frame of a known service becomes what the editor's own clipboard has for a player. */
function makePlayer(frame: HTMLIFrameElement, hasSound: boolean): void {
  const found = playerAddress(frame.getAttribute('src') ?? '');
  if (!found || (found.isSound && !hasSound)) return;
  const player = document.createElement('div');
  player.setAttribute(
    `data-tk-${found.isSound ? 'iframe' : 'video'}`,
    JSON.stringify({ src: found.address }),
  );
  frame.replaceWith(player);
}

/** The rows of a table become lines such as "Kiuas: 9 400 €, syksyllä". A table of one column is there for the layout. */
function makeLines(body: HTMLElement): void {
  for (const row of body.querySelectorAll('tr')) {
    const cells = [...row.querySelectorAll(':scope > td, :scope > th')];
    const [only] = cells;
    if (only && cells.length === 1) {
      rename(only, 'div');
      continue;
    }
    const words = cells.map((cell) => cell.textContent.replace(/\s+/g, ' ').trim());
    const [first = '', ...others] = words.filter(Boolean);
    const line = document.createElement('p');
    line.textContent = others.length > 0 ? `${first.replace(/:$/, '')}: ${others.join(', ')}` : first;
    row.replaceChildren(...(first ? [line] : []));
  }
}

/** Removes Office's own tags (o:p) and the conditional comments around Word's list markers. */
function withoutOfficeTags(html: string): string {
  return html
    .replace(/<!--\[if[\s\S]*?<!\[endif\]-->/g, '')
    .replace(/<!\[if[^>]*>[\s\S]*?<!\[endif\]>/g, '')
    .replace(/<\/?[a-z]+:[a-z]+[^>]*>/gi, '');
}

const bullet =
  /^[\s\u00a0]*([·•▪–o§-]|(?:\d{1,3}\.)*\d{1,3}[.)]|(?:\d{1,3}\.)+\d{1,3}|[a-z][.)]|[ivxlcdm]{1,6}[.)])[\s\u00a0]+/i;

/**
 * Word writes list items as paragraphs with a class or style, each beginning with its bullet or number as text; the style
 * has its level.
 */
function makeLists(body: HTMLElement): void {
  /** The open lists, the outermost first. */
  let lists: HTMLElement[] = [];
  for (const paragraph of body.querySelectorAll<HTMLElement>('p')) {
    const style = paragraph.getAttribute('style') ?? '';
    if (!paragraph.className.includes('MsoListParagraph') && !style.includes('mso-list')) {
      lists = [];
      continue;
    }
    if (paragraph.previousElementSibling !== lists[0]) lists = [];
    const begin = bullet.exec(paragraph.textContent);
    const kind = begin && /[\da-z][.)]|\d$/i.test(begin[1] ?? '') ? 'ol' : 'ul';
    const level = Math.min(Number(/level(\d)/.exec(style)?.[1] ?? 1), lists.length + 1);
    lists = lists.slice(0, level);
    if (lists[level - 1]?.localName !== kind) {
      const list = document.createElement(kind);
      const parent = lists[level - 2]?.lastElementChild;
      if (parent) parent.append(list);
      else paragraph.before(list);
      lists = [...lists.slice(0, level - 1), list];
    }
    removeBeginning(paragraph, begin?.[0].length ?? 0);
    const item = document.createElement('li');
    item.append(...paragraph.childNodes);
    lists[level - 1]?.append(item);
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
