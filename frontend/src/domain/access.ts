/** What the reader may do with a campaign, as the server says it in `acl`. Nothing else in the app reads it. */
export type Rights = readonly string[];

export const mayEdit = (acl: Rights) => acl.includes('edit');
export const mayAdminister = (acl: Rights) => acl.includes('admin');

/** What a campaign's page is used for; one at a time. review is the staff's. */
export type CampaignMode = 'view' | 'edit' | 'overview' | 'review';

export function mayEnter(mode: CampaignMode, acl: Rights): boolean {
  return mode === 'view' || (mode === 'review' ? mayAdminister(acl) : mayEdit(acl));
}

/** The modes that somebody chooses among: the team's three, and for staff the review besides. */
export function modesOf(acl: Rights): CampaignMode[] {
  if (!mayEdit(acl)) return ['view'];
  return ['view', 'edit', 'overview', ...(mayAdminister(acl) ? (['review'] as const) : [])];
}
