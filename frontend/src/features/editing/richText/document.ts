import type { RichText } from '../../../api/editing';
import { frameSource } from '../../../domain/video';

/** A node of a document in the server's format, which services/content/internal/writing/richtext defines. */
export interface DocNode {
  type: string;
  attrs?: Readonly<Record<string, unknown>>;
  content?: readonly DocNode[];
  marks?: readonly DocMark[];
  text?: string;
}

/** A format of a text node, such as bold or a link. */
export interface DocMark {
  type: string;
  attrs?: Readonly<Record<string, unknown>>;
}

/** A rich-text document, in the server's format or the editor's (toEditor, toDoc). */
export interface Doc {
  type: 'doc';
  content: readonly DocNode[];
}

/** A document without content. */
export const emptyDoc: Doc = { type: 'doc', content: [] };

/** Types the contract's JSON, which leaves a document's content open. Empty if there is none. */
export const docOf = (json: RichText | undefined): Doc => (json as Doc | undefined) ?? emptyDoc;

/** The attributes that are kept of each node and mark, by type; all others are dropped. */
const kept: Readonly<Record<string, readonly string[]>> = {
  heading: ['level'],
  orderedList: ['start'],
  image: ['src', 'alt', 'width', 'height'],
  figure: ['src', 'alt', 'width', 'height', 'caption'],
  quote: ['by'],
  video: ['src'],
  iframe: ['src'],
  budget: ['rows'],
  figures: ['figures'],
  link: ['href'],
};

const inline = new Set(['text', 'hardBreak']);

function keptAttrs(type: string, attrs: DocNode['attrs']): DocNode['attrs'] {
  const set = (kept[type] ?? []).flatMap((name) => {
    const value = attrs?.[name];
    const isSet = name === 'start' ? isStart(value) : value !== undefined && value !== null && value !== '';
    return isSet ? [[name, value] as const] : [];
  });
  return set.length > 0 ? Object.fromEntries(set) : undefined;
}

/** Where a list begins to count, if it is not with 1; the server takes no other numbers. */
const isStart = (value: unknown) => Number.isInteger(value) && Number(value) > 1 && Number(value) <= 9999;

const withAttrs = (node: DocNode, attrs: DocNode['attrs']): DocNode =>
  attrs ? { ...node, attrs } : { ...node };

/**
 * Converts a server's document to the editor's schema: inline text in paragraphs, pictures as blocks. Drops nothing.
 */
export function toEditor(doc: Doc): Doc {
  return { type: 'doc', content: blocks(doc.content) };
}

/** Converts nodes to blocks. Inline nodes outside of a block get a paragraph. */
function blocks(nodes: readonly DocNode[]): DocNode[] {
  const out: DocNode[] = [];
  let words: DocNode[] = [];
  const endParagraph = () => {
    if (words.length > 0) out.push({ type: 'paragraph', content: words });
    words = [];
  };
  for (const node of nodes) {
    if (inline.has(node.type)) {
      words.push(node);
      continue;
    }
    endParagraph();
    out.push(...block(node));
  }
  endParagraph();
  return out;
}

function block(node: DocNode): DocNode[] {
  const content = node.content ?? [];
  const attrs = keptAttrs(node.type, node.attrs);
  switch (node.type) {
    case 'paragraph':
      return content.some(({ type }) => !inline.has(type)) ? blocks(content) : [{ type: node.type, content }];
    case 'heading': {
      const level = attrs?.level === 3 ? 3 : 2;
      return [{ type: 'heading', attrs: { level }, content: wordsIn(content) }];
    }
    case 'quote':
      return [withAttrs({ type: 'quote', content: wordsIn(content) }, attrs)];
    case 'bulletList':
    case 'orderedList':
      return [withAttrs({ type: node.type, content: content.map(listItem) }, attrs)];
    case 'listItem':
      return [{ type: 'bulletList', content: [listItem(node)] }];
    default:
      return [withAttrs({ type: node.type }, attrs)];
  }
}

function listItem(node: DocNode): DocNode {
  const inside = blocks(node.type === 'listItem' ? (node.content ?? []) : [node]);
  const startsWithWords = inside[0]?.type === 'paragraph';
  return { type: 'listItem', content: startsWithWords ? inside : [{ type: 'paragraph' }, ...inside] };
}

/** The inline content of nodes, with line breaks between blocks. */
function wordsIn(nodes: readonly DocNode[]): DocNode[] {
  return nodes.flatMap((node, place) => {
    if (inline.has(node.type)) return [node];
    const words = wordsIn(node.content ?? []);
    return place > 0 && words.length > 0 ? [{ type: 'hardBreak' }, ...words] : words;
  });
}

const isEmptyParagraph = (node: DocNode | undefined) => node?.type === 'paragraph' && !node.content?.length;

/** Converts the editor's JSON to the server's format. A paragraph at the beginning becomes the intro, set larger. */
export function toDoc(json: DocNode): Doc {
  const content = (json.content ?? []).map(stripped);
  while (isEmptyParagraph(content.at(-1))) content.pop();
  const [first, ...rest] = content;
  const isIntro = first?.type === 'paragraph' && !isEmptyParagraph(first);
  return { type: 'doc', content: isIntro ? [{ ...first, attrs: { intro: true } }, ...rest] : content };
}

function stripped({ type, attrs, content, marks, text }: DocNode): DocNode {
  const node: DocNode = { type };
  const its = keptAttrs(type, attrs);
  if (its) node.attrs = its;
  if (content && content.length > 0) node.content = content.map(stripped);
  if (marks && marks.length > 0)
    node.marks = marks.map((mark) => {
      const ofMark = keptAttrs(mark.type, mark.attrs);
      return ofMark ? { type: mark.type, attrs: ofMark } : { type: mark.type };
    });
  if (text !== undefined) node.text = text;
  return node;
}

/** The blocks of a document in the editor's format, each written the same wherever it stands. */
export function blocksOf(doc: Doc): DocNode[] {
  const blocks = toEditor(doc).content.map(stripped);
  while (isEmptyParagraph(blocks.at(-1))) blocks.pop();
  return blocks;
}

/** Whether two documents have the same content after normalisation. */
export function isSameDoc(one: Doc, other: Doc): boolean {
  const written = (doc: Doc) => JSON.stringify(toDoc(toEditor(doc)));
  return written(one) === written(other);
}

/** The text of a document without formats, one line per block. */
export function plainText(doc: Doc): string {
  const words = (node: DocNode): string => {
    if (node.type === 'hardBreak') return '\n';
    const inside = node.text ?? (node.content ?? []).map(words).join('');
    return inline.has(node.type) ? inside : `${inside}\n`;
  };
  return doc.content.map(words).join('').replace(/\n+/g, '\n').trim();
}

/** The blocks of a document as plain text; a picture or a player has its description and address. */
export function blockTexts(doc: Doc): string[] {
  return doc.content
    .map((block) => {
      const words = plainText({ type: 'doc', content: [block] });
      const { alt, caption, src, rows } = block.attrs ?? {};
      return [words, alt, caption, src, rows === undefined ? undefined : JSON.stringify(rows)]
        .filter((one) => typeof one === 'string' && one)
        .join(' ');
    })
    .filter(Boolean);
}

const all = (nodes: readonly DocNode[]): DocNode[] =>
  nodes.flatMap((node) => [node, ...all(node.content ?? [])]);

/** The number of pictures without alt text. */
export function picturesWithoutAlt(doc: Doc): number {
  const pictures = all(doc.content).filter(({ type }) => type === 'image' || type === 'figure');
  return pictures.filter(({ attrs }) => !attrs?.alt).length;
}

/** The number of links without a valid address. */
export function brokenLinks(doc: Doc): number {
  const marks = all(doc.content).flatMap((node) => node.marks ?? []);
  return marks.filter(
    ({ type, attrs }) => type === 'link' && !(typeof attrs?.href === 'string' && linkAddress(attrs.href)),
  ).length;
}

/** The number of video and audio players without an address that the page can embed. */
export function brokenPlayers(doc: Doc): number {
  const players = all(doc.content).filter(({ type }) => type === 'video' || type === 'iframe');
  return players.filter(({ attrs }) => !(typeof attrs?.src === 'string' && frameSource(attrs.src))).length;
}

/** Makes a typed link, bare domain or email address an http, https or mailto URL. Undefined if it is invalid. */
export function linkAddress(typed: string): string | undefined {
  const text = typed.trim();
  if (/^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text)) return `mailto:${text}`;
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, href, username, password } = new URL(address);
  // It would lead elsewhere than it looks, and the server refuses it.
  if (username !== '' || password !== '') return undefined;
  if (protocol === 'mailto:') return href.length > 'mailto:'.length ? href : undefined;
  return (protocol === 'http:' || protocol === 'https:') && hostname.includes('.') ? href : undefined;
}
