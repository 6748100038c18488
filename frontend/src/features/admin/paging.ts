/** Reads the offset of a page from the address; rubbish is the beginning. */
export function readOffset(text: string | null): number {
  return /^[1-9]\d{0,4}$/.test(text ?? '') ? Number(text) : 0;
}
