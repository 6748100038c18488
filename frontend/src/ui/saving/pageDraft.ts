import type { LocalDraft } from './localDraft';

/** A page's draft on the device. Once the page is left, what a later visit has written there is not overwritten. */
export class PageDraft<Value extends object> {
  isLeft = false;
  #draft: LocalDraft<Value>;
  /** What this page last wrote, as JSON. Different content there is from a later visit. */
  #written = '';

  constructor(draft: LocalDraft<Value>) {
    this.#draft = draft;
  }

  read(): Value | undefined {
    const value = this.#draft.read();
    this.#written = JSON.stringify(value ?? {});
    return value;
  }

  write(value: Value | undefined): void {
    if (this.isLeft && JSON.stringify(this.#draft.read() ?? {}) !== this.#written) return;
    this.#draft.write(value);
    this.#written = JSON.stringify(value ?? {});
  }
}
