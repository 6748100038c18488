// Elements without HTML: pages with Trusted Types or a strict Content-Security-Policy may embed them.

/** An element with a class and text. */
export function element<Name extends keyof HTMLElementTagNameMap>(name: Name, className = '', text = '') {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

const svgSpace = 'http://www.w3.org/2000/svg';

function svg(width: number, height: number, viewBox: string, className: string) {
  const root = document.createElementNS(svgSpace, 'svg');
  const attributes = { width, height, viewBox, class: className, 'aria-hidden': 'true' };
  for (const [name, value] of Object.entries(attributes)) root.setAttribute(name, String(value));
  return root;
}

function add(root: SVGElement, d: string, className = '') {
  const path = document.createElementNS(svgSpace, 'path');
  path.setAttribute('d', d);
  if (className) path.setAttribute('class', className);
  root.append(path);
}

const clock = 'M3 12a9 9 0 1 0 18 0 9 9 0 1 0-18 0M12 7v5l3 3';
const people =
  'M5 7a4 4 0 1 0 8 0 4 4 0 1 0-8 0M3 21v-2a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v2M16 3.1a4 4 0 0 1 0 7.8M21 21v-2a4 4 0 0 0-3-3.9';
const book = 'M3 19a9 9 0 0 1 9 0 9 9 0 0 1 9 0M3 6a9 9 0 0 1 9 0 9 9 0 0 1 9 0M3 6v13M12 6v13M21 6v13';
const trend = 'M3 17l6-6 4 4 8-8M14 7h7v7';

// The outlines of Tabler icons, by kind of reason.
const outlines: Readonly<Record<string, string>> = {
  near: 'M9 11a3 3 0 1 0 6 0 3 3 0 0 0-6 0m8.7 5.7-4.3 4.2a2 2 0 0 1-2.8 0l-4.3-4.2a8 8 0 1 1 11.4 0',
  ends_soon: clock,
  backed_together: people,
  liked_together: people,
  topic: book,
  same_tags: book,
  popular: trend,
};

/** The icon of a kind of reason. */
export function icon(kind: string) {
  const root = svg(16, 16, '0 0 24 24', 'icon');
  add(root, outlines[kind] ?? trend);
  return root;
}

/** The logo. */
export function mark() {
  const root = svg(18, 18, '0 0 30 30', 'mark');
  const log = (x: number, y: number, width: number) =>
    `M${x + 3.7} ${y}h${width - 7.4}a3.7 3.7 0 0 1 0 7.4h-${width - 7.4}a3.7 3.7 0 0 1 0-7.4Z`;
  add(root, log(2, 2, 26) + log(2, 20.6, 26) + log(17.4, 11.3, 10.6));
  add(
    root,
    'M9.6 10.4a4.6 4.6 0 1 0 0 9.2 4.6 4.6 0 0 0 0-9.2Zm0 2.5a2.1 2.1 0 1 1 0 4.2 2.1 2.1 0 0 1 0-4.2Z',
    'ring',
  );
  return root;
}

/** The three knife cuts of empty states. */
export function cuts() {
  const root = svg(48, 22, '0 0 84 36', 'cuts');
  for (const x of [0, 28])
    add(root, `M${x + 2} 34Q${x + 4.4} 10.8 ${x + 26} 2Q${x + 23.6} 25.2 ${x + 2} 34Z`);
  add(root, 'M62 34Q63 22 76 16Q75 28 62 34Z', 'faint');
  return root;
}
