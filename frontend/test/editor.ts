// jsdom draws nothing, so it knows no places on the screen; the editor asks for some all the time.
const nowhere = { top: 0, left: 0, right: 0, bottom: 0, width: 0, height: 0, x: 0, y: 0, toJSON: () => ({}) };

/** Lets the editor of formatted text run in jsdom. */
export function installEditor(): void {
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => nowhere;
  document.elementFromPoint = () => null;
}

/** Pastes into what has the focus, as a browser does it. */
export function paste(element: Element, types: Readonly<Record<string, string>>): void {
  const event = new Event('paste', { bubbles: true, cancelable: true });
  const clipboardData = {
    getData: (type: string) => types[type] ?? '',
    types: Object.keys(types),
    files: [],
  };
  element.dispatchEvent(Object.assign(event, { clipboardData }));
}
