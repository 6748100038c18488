/** What is shared: a page, its title and a sentence about it in the sharer's language. */
export interface Shared {
  title: string;
  words: string;
  /** Whole, with its host. */
  url: string;
}

/** Ways to share that are plain links, so that nobody else's script runs here and nothing is told before a press. */
export function shareLinks({ title, words, url }: Shared): Record<'email' | 'whatsapp' | 'facebook', string> {
  const of = encodeURIComponent;
  return {
    email: `mailto:?subject=${of(title)}&body=${of(`${words}\r\n\r\n${url}`)}`,
    whatsapp: `https://wa.me/?text=${of(`${words} ${url}`)}`,
    // Takes its words from the page itself.
    facebook: `https://www.facebook.com/sharer/sharer.php?u=${of(url)}`,
  };
}
