// Letters that Unicode does not take apart into a base letter and a mark.
const plain: Readonly<Record<string, string>> = { đ: 'd', ŋ: 'n', ŧ: 't', ø: 'o', æ: 'ae', ß: 'ss', ł: 'l' };

/** The part of an address made from a title: lower case, a to z, digits and single hyphens; '_' when nothing is left. */
export function titleSlug(title: string): string {
  const letters = title
    .toLowerCase()
    .replace(/[đŋŧøæßł]/g, (letter) => plain[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  return letters.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || '_';
}
