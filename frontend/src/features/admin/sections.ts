/** What there is for admins; each is at its own address. */
export const adminSections = ['campaigns', 'categories', 'tags', 'home', 'people', 'audit'] as const;
export type AdminSection = (typeof adminSections)[number];
