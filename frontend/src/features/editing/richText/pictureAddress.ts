/** Where the browser gets a picture of a text: a file under /media in the width of a text, or an address of its own. */
export function pictureAddress(src: string | null | undefined): string {
  if (!src) return '';
  return src.startsWith('/') || src.startsWith('https://') ? src : `/media/960x0/${encodeURIComponent(src)}`;
}
