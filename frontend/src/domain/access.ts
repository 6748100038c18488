/** The reader's rights to a campaign: the server's `acl`. Only this module interprets it. */
export type Rights = readonly string[];

/** Whether the reader may edit the campaign, as its team and staff may. */
export const mayEdit = (acl: Rights) => acl.includes('edit');
/** Whether the reader is staff. */
export const mayAdminister = (acl: Rights) => acl.includes('admin');

/** The modes of a campaign's page, each with its own address. review is for staff. */
export type CampaignMode = 'view' | 'edit' | 'overview' | 'review';

/** Whether a reader with these rights may open the mode. */
export function mayEnter(mode: CampaignMode, acl: Rights): boolean {
  return mode === 'view' || (mode === 'review' ? mayAdminister(acl) : mayEdit(acl));
}

/** The modes that a reader with these rights can switch between, in the order of the switch. */
export function modesOf(acl: Rights): CampaignMode[] {
  if (!mayEdit(acl)) return ['view'];
  return ['view', 'edit', 'overview', ...(mayAdminister(acl) ? (['review'] as const) : [])];
}
