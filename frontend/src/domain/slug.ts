// Letters that Unicode normalization does not split into a base letter and a diacritic.
const plain: Readonly<Record<string, string>> = { đ: 'd', ŋ: 'n', ŧ: 't', ø: 'o', æ: 'ae', ß: 'ss', ł: 'l' };

/** The slug of a title: lower-case a to z, digits and single hyphens; '_' if nothing is left. */
export function titleSlug(title: string): string {
  const letters = title
    .toLowerCase()
    .replace(/[đŋŧøæßł]/g, (letter) => plain[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  return letters.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || '_';
}
