/** A sentence that begins with a capital: names of months, which are written small in Finnish and Swedish, may begin it. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
