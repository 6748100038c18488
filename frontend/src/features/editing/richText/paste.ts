import { playerAddress } from '../../../domain/playerAddress';

/** Elements that are removed with their content. */
const unwanted =
  'style, script, meta, link, title, xml, template, iframe, object, embed, input, button, select, textarea, svg';

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
  for (const form of body.querySelectorAll('form')) unwrap(form);
  for (const caption of body.querySelectorAll('figure > figcaption'))
    if (caption.parentElement?.querySelector('img, picture, video, audio, svg')) caption.remove();
  const players = body.querySelectorAll('iframe, object, embed, video, audio').length;
  for (const element of body.querySelectorAll(unwanted)) element.remove();
  const pictures = [...body.querySelectorAll('img')].filter(isShown).length;
  for (const picture of body.querySelectorAll('img, picture, video, audio')) picture.remove();
  nameItems(body);
  makeLists(body);
  for (const list of body.querySelectorAll('ul, ol')) if (depthOf(list) > deepest) flatten(list);
  for (const heading of body.querySelectorAll('li :is(h1, h2, h3, h4, h5, h6)')) rename(heading, 'p');
  for (const heading of body.querySelectorAll('h1, h4, h5, h6'))
    rename(heading, heading.matches('h1') ? 'h2' : 'h3');
  makeLines(body);
  for (const quote of body.querySelectorAll('blockquote')) makeQuote(quote);
  for (const link of body.querySelectorAll('a')) leadToPage(link);
  // Word processors keep distance by blank lines.
  for (const paragraph of body.querySelectorAll('p'))
    if (!paragraph.textContent.trim() && !paragraph.querySelector('[data-tk-video], [data-tk-iframe]'))
      paragraph.remove();
  // Google Docs wraps everything in a <b> with a normal weight.
  for (const bold of body.querySelectorAll<HTMLElement>('b, strong'))
    if (bold.style.fontWeight === 'normal') unwrap(bold);
  return { html: body.innerHTML, pictures, players };
}

/** Whether pasted HTML is one picture without words, as "copy image" of browsers gives it beside the file. */
export function isOnePicture(html: string): boolean {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return body.querySelectorAll('img').length === 1 && body.textContent.trim() === '';
}

/** Not one of the pixels by which mails and pages count their readers, nor the box of a checklist. */
const isShown = (picture: HTMLImageElement) =>
  !picture.closest('[role="checkbox"]') &&
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

/** What makes a table's cell more than words: such a table is there for the layout, as is one of one column. */
const blocks = 'table, ul, ol, h1, h2, h3, h4, h5, h6, blockquote';

/** The rows of a table become lines such as "Kiuas: 9 400 €, syksyllä". */
function makeLines(body: HTMLElement): void {
  for (const table of body.querySelectorAll('table')) repeatSpanning(table);
  for (const row of body.querySelectorAll('tr')) {
    const cells = [...row.querySelectorAll(':scope > td, :scope > th')];
    if (cells.length === 1 || cells.some((cell) => cell.querySelector(blocks))) {
      for (const cell of cells) rename(cell, 'div');
      continue;
    }
    const line = document.createElement('p');
    const full = cells.filter(({ textContent }) => textContent.trim());
    for (const [place, cell] of full.entries()) {
      makeInline(cell);
      if (place === 1) line.append(line.textContent.endsWith(':') ? ' ' : ': ');
      if (place > 1) line.append(', ');
      line.append(...cell.childNodes);
    }
    row.replaceChildren(...(line.hasChildNodes() ? [line] : []));
  }
  for (const caption of body.querySelectorAll('caption')) rename(caption, 'p');
  for (const widths of body.querySelectorAll('colgroup, col')) widths.remove();
  for (const part of body.querySelectorAll('table, thead, tbody, tfoot, tr')) unwrap(part);
}

/** How deep lists may be in each other, in the editor as on the server. */
const deepest = 5;

function depthOf(list: Element): number {
  const outer = list.parentElement?.closest('ul, ol');
  return outer ? depthOf(outer) + 1 : 1;
}

/** The items of a list follow the item that it is in. */
function flatten(list: Element): void {
  // Google Docs puts an inner list beside its item.
  if (list.parentElement?.matches('ul, ol')) unwrap(list);
  else list.closest('li')?.after(...list.children);
  if (!list.hasChildNodes()) list.remove();
}

/** A quotation is words. One with lists or headings is there to indent them, as mail programs do it. */
function makeQuote(quote: Element): void {
  if (quote.querySelector(blocks)) {
    unwrap(quote);
    return;
  }
  const parts = [...quote.querySelectorAll('p, div')];
  for (const part of parts) {
    if (part.nextSibling && part.nextElementSibling) part.after(document.createElement('br'));
    unwrap(part);
  }
  for (const node of [...quote.childNodes])
    if (node.nodeType === Node.TEXT_NODE && !node.nodeValue?.trim()) node.remove();
}

/** A link that goes through a mail's or search's own address, which may name its reader, leads to the page itself. */
function leadToPage(link: HTMLAnchorElement): void {
  const through = URL.canParse(link.href) ? new URL(link.href) : undefined;
  if (!through) return;
  const isMail = through.hostname.endsWith('.safelinks.protection.outlook.com');
  const isSearch = /^www\.google\.[a-z.]+$/.test(through.hostname) && through.pathname === '/url';
  const page = through.searchParams.get('url') ?? through.searchParams.get('q') ?? '';
  if ((isMail || isSearch) && /^https?:\/\//i.test(page)) link.setAttribute('href', page);
}

/** The longest text of a cell that is repeated in the rows that it spans, in characters. */
const longestRepeated = 80;

/** A cell that spans rows says what each of them is about, so each line gets it. */
function repeatSpanning(table: HTMLTableElement): void {
  let spanning: { cell: Element; place: number; left: number }[] = [];
  for (const row of table.rows) {
    const own = new Set(row.cells);
    for (const { cell, place } of spanning) row.insertBefore(cell.cloneNode(true), row.cells[place] ?? null);
    spanning = spanning.map((one) => ({ ...one, left: one.left - 1 })).filter(({ left }) => left > 0);
    for (const [place, cell] of [...row.cells].entries()) {
      const isName = cell.textContent.trim().length <= longestRepeated && !cell.querySelector(blocks);
      if (own.has(cell) && cell.rowSpan > 1 && isName) spanning.push({ cell, place, left: cell.rowSpan - 1 });
    }
    spanning.sort((one, other) => one.place - other.place);
  }
}

/** Leaves a cell's words with their links and emphasis, on one line. */
function makeInline(cell: Element): void {
  for (const end of cell.querySelectorAll('br')) end.replaceWith(' ');
  for (const block of cell.querySelectorAll('p, div, section, pre, address, dl, dt, dd')) {
    block.after(' ');
    unwrap(block);
  }
  cell.normalize();
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let text = walker.nextNode(); text; text = walker.nextNode()) texts.push(text as Text);
  for (const text of texts) text.data = text.data.replace(/\s+/g, ' ');
  for (const text of texts) if ((text.data = text.data.trimStart())) break;
  for (const text of texts.reverse()) if ((text.data = text.data.trimEnd())) break;
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

/** Word on the web puts each item in a list of its own, with its level: they become such paragraphs as Word writes. */
function nameItems(body: HTMLElement): void {
  for (const wrapper of body.querySelectorAll('.ListContainerWrapper')) {
    const items = [...wrapper.querySelectorAll('li')].map((item) => {
      const paragraph = document.createElement('p');
      paragraph.className = 'MsoListParagraph';
      paragraph.setAttribute('style', `mso-list:level${item.getAttribute('data-aria-level') ?? '1'}`);
      paragraph.dataset.list = item.parentElement?.localName === 'ol' ? 'ol' : 'ul';
      for (const inner of item.querySelectorAll('p')) unwrap(inner);
      paragraph.append(...item.childNodes);
      return paragraph;
    });
    wrapper.replaceWith(...items);
  }
}

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
    const begin = paragraph.dataset.list ? undefined : bullet.exec(paragraph.textContent);
    const kind = paragraph.dataset.list ?? (/[\da-z][.)]|\d$/i.test(begin?.[1] ?? '') ? 'ol' : 'ul');
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

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes);
}

function rename(element: Element, name: string): void {
  const renamed = document.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
}
