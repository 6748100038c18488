/** A dash that begins a line of speech in Finnish (–) is not among them. */
const bulleted = /^[ \t]*[-*•·▪◦][ \t\u00a0]+(?=\S)/;
const numbered = /^[ \t]*(\d{1,4})[.)][ \t\u00a0]+(?=\S)/;

/**
 * The paragraphs of a pasted plain text, lists included: two lines or more that begin with a bullet, or are numbered one by one, as mails
 * and notes have them. Undefined for a text without lists, which the editor takes by itself.
 */
export function listsInText(text: string): HTMLElement | undefined {
  const body = document.createElement('div');
  const lines = text.split(/\r\n?|\n/);
  let hasList = false;
  for (let place = 0; place < lines.length;) {
    const line = lines[place] ?? '';
    const items = itemsAt(lines, place);
    place += Math.max(items.length, 1);
    if (items.length > 1) {
      hasList = true;
      body.append(listOf(line, items));
    } else if (line.trim()) body.append(withText('p', line));
  }
  return hasList ? body : undefined;
}

/** The words of the items that stand from a line on, without their marks. */
function itemsAt(lines: readonly string[], from: number): string[] {
  const items: string[] = [];
  const first = numbered.exec(lines[from] ?? '')?.[1];
  for (const line of lines.slice(from)) {
    const mark = first === undefined ? bulleted.exec(line) : numbered.exec(line);
    if (!mark || (first !== undefined && Number(mark[1]) !== Number(first) + items.length)) break;
    items.push(line.slice(mark[0].length));
  }
  return items;
}

function listOf(firstLine: string, items: readonly string[]): HTMLElement {
  const start = numbered.exec(firstLine)?.[1];
  const list = document.createElement(start === undefined ? 'ul' : 'ol');
  if (start !== undefined && start !== '1') list.setAttribute('start', start);
  for (const words of items) {
    const item = document.createElement('li');
    item.append(withText('p', words));
    list.append(item);
  }
  return list;
}

function withText(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text.trim();
  return element;
}
