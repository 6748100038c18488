/** What is shared: a page's address, its title and a text in the sharer's language. */
export interface Shared {
  title: string;
  words: string;
  /** Absolute. */
  url: string;
}

/** Sharing as plain links: no third-party script runs, and nothing is sent before the click. */
export function shareLinks({ title, words, url }: Shared): Record<'email' | 'whatsapp' | 'facebook', string> {
  const of = encodeURIComponent;
  return {
    email: `mailto:?subject=${of(title)}&body=${of(`${words}\r\n\r\n${url}`)}`,
    whatsapp: `https://wa.me/?text=${of(`${words} ${url}`)}`,
    // Facebook takes title and text from the page's Open Graph tags.
    facebook: `https://www.facebook.com/sharer/sharer.php?u=${of(url)}`,
  };
}
