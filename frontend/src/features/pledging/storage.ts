import { deviceStorage, isObject, tabStorage } from '../../api/deviceStorage';
import { personalKeyPrefix } from '../../api/session';

/**
 * The last pledge of this tab, for the thanks page. Its id is not put into addresses: a guest's browser shows it by the order
 * token, which only this tab has.
 */
export interface KeptPledge {
  pledgeId: string;
  campaignId: number;
  /** For the sign-up form, because the pledge response does not have it. */
  last_name?: string;
  /** The provider has confirmed the payment. Otherwise an open pledge may be unpaid. */
  isSent?: boolean;
}

const name = personalKeyPrefix;

/** Stores the last pledge, replacing an earlier one. */
export function keepPledge(pledge: KeptPledge): void {
  tabStorage.setJson(name, pledge);
}

/** The last pledge, if it is for this campaign. */
export function keptPledge(campaignId: number): KeptPledge | undefined {
  const kept = tabStorage.json(name, isKeptPledge);
  return kept?.campaignId === campaignId ? kept : undefined;
}

const isKeptPledge = (value: unknown): value is KeptPledge =>
  isObject(value) && typeof value.pledgeId === 'string';

const draftName = (campaignId: number) => `${personalKeyPrefix}-draft-${campaignId}`;

/** What was typed into the form, without passwords and card data. */
export type Draft = Readonly<Record<string, unknown>>;

/** Stores the draft of a campaign's form. */
export function saveDraft(campaignId: number, draft: Draft): void {
  tabStorage.setJson(draftName(campaignId), draft);
}

/** The draft of a campaign's form; undefined if there is none. */
export function readDraft(campaignId: number): Draft | undefined {
  return tabStorage.json(draftName(campaignId), isObject);
}

/** Removes the draft once the pledge is paid. */
export function forgetDraft(campaignId: number): void {
  tabStorage.remove(draftName(campaignId));
}

/** What the list of backers does not show of somebody. */
export interface Hidden {
  anonymous: boolean;
  hide_amount: boolean;
}

const hiddenName = (userId: number | undefined) => `tk-hidden-${userId ?? 'guest'}`;

/** Stores the last choice of an account in this browser, or of its guests. */
export function rememberHidden(userId: number | undefined, { anonymous, hide_amount }: Hidden): void {
  deviceStorage.setJson(hiddenName(userId), { anonymous, hide_amount });
}

/** The last choice, with which the next form begins. */
export function rememberedHidden(userId: number | undefined): Draft | undefined {
  return deviceStorage.json(hiddenName(userId), isObject);
}
