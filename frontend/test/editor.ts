// jsdom has no layout, so it lacks the methods by which the editor asks for positions.
const emptyRect = {
  top: 0,
  left: 0,
  right: 0,
  bottom: 0,
  width: 0,
  height: 0,
  x: 0,
  y: 0,
  toJSON: () => ({}),
};

/** Lets the rich text editor run in jsdom. */
export function installEditor(): void {
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => emptyRect;
  document.elementFromPoint = () => null;
}

/** Dispatches a browser's paste event at an element; `types` is the clipboard's content by MIME type. */
export function paste(element: Element, types: Readonly<Record<string, string>>): void {
  const event = new Event('paste', { bubbles: true, cancelable: true });
  const clipboardData = {
    getData: (type: string) => types[type] ?? '',
    types: Object.keys(types),
    files: [],
  };
  element.dispatchEvent(Object.assign(event, { clipboardData }));
}
