import { personalKeyPrefix } from '../../api/session';

/**
 * The last pledge of this tab, for the thanks page. Its id gives access to the receipt, so it is not put into
 * addresses.
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
export function keepPledge(storage: Storage, pledge: KeptPledge): void {
  storage.setItem(name, JSON.stringify(pledge));
}

/** The last pledge, if it is for this campaign. */
export function keptPledge(storage: Storage, campaignId: number): KeptPledge | undefined {
  const kept = parse<KeptPledge>(storage.getItem(name));
  return kept?.campaignId === campaignId && typeof kept.pledgeId === 'string' ? kept : undefined;
}

const draftName = (campaignId: number) => `${personalKeyPrefix}-draft-${campaignId}`;

/** What was typed into the form, without passwords and card data. */
export type Draft = Readonly<Record<string, unknown>>;

/** Stores the draft of a campaign's form. */
export function saveDraft(storage: Storage, campaignId: number, draft: Draft): void {
  storage.setItem(draftName(campaignId), JSON.stringify(draft));
}

/** The draft of a campaign's form; undefined if there is none. */
export function readDraft(storage: Storage, campaignId: number): Draft | undefined {
  return parse<Draft>(storage.getItem(draftName(campaignId)));
}

/** Removes the draft once the pledge is paid. */
export function forgetDraft(storage: Storage, campaignId: number): void {
  storage.removeItem(draftName(campaignId));
}

function parse<Value extends object>(text: string | null): (Partial<Value> & Value) | undefined {
  if (!text) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Value) : undefined;
  } catch {
    // Truncated, or not written by this app: the same as nothing.
    return undefined;
  }
}
