/** What there is for admins; each is at its own address. */
export const adminSections = ['people', 'audit'] as const;
export type AdminSection = (typeof adminSections)[number];
