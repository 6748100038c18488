import { personalKeyPrefix } from '../../api/session';
import { forgetSubmissions } from './flow/submissions';

/** The pledge that was made last in this tab, for the thanks page. The id is a permission, so it stays out of addresses. */
export interface KeptPledge {
  pledgeId: string;
  campaignId: number;
  /** For the offer of an account; the receipt does not carry it. */
  last_name?: string;
  /** The provider said that the money is on its way; without that an open pledge may not have been paid at all. */
  isSent?: boolean;
}

const name = personalKeyPrefix;

export function keepPledge(storage: Storage, pledge: KeptPledge): void {
  storage.setItem(name, JSON.stringify(pledge));
}

export function keptPledge(storage: Storage, campaignId: number): KeptPledge | undefined {
  const kept = parse<KeptPledge>(storage.getItem(name));
  return kept?.campaignId === campaignId && typeof kept.pledgeId === 'string' ? kept : undefined;
}

const draftName = (campaignId: number) => `${personalKeyPrefix}-draft-${campaignId}`;

/** What was typed into the form; passwords and cards never come here. */
export type Draft = Readonly<Record<string, unknown>>;

export function saveDraft(storage: Storage, campaignId: number, draft: Draft): void {
  storage.setItem(draftName(campaignId), JSON.stringify(draft));
}

export function readDraft(storage: Storage, campaignId: number): Draft | undefined {
  return parse<Draft>(storage.getItem(draftName(campaignId)));
}

/** Paid: neither the draft nor the submissions are needed any more. */
export function forgetCheckout(storage: Storage, campaignId: number): void {
  storage.removeItem(draftName(campaignId));
  forgetSubmissions(storage, campaignId);
}

function parse<Value extends object>(text: string | null): (Partial<Value> & Value) | undefined {
  if (!text) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Value) : undefined;
  } catch {
    // Cut short or not ours: the same as nothing.
    return undefined;
  }
}
