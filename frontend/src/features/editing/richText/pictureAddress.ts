/** The URL of a picture in a text: an uploaded file, 960 px wide, or an address as it is. Empty without one. */
export function pictureAddress(src: string | null | undefined): string {
  if (!src) return '';
  return src.startsWith('/') || src.startsWith('https://') ? src : `/media/960x0/${encodeURIComponent(src)}`;
}
