/** What there is for admins; each is at its own address. */
export const adminSections = [
  'campaigns',
  'categories',
  'tags',
  'home',
  'claims',
  'people',
  'audit',
] as const;
export type AdminSection = (typeof adminSections)[number];
