import type { CampaignPreview, Pledge } from '../../../api/content.generated';

/** What the thanks page tells of a pledge. */
export type ThanksState = 'paid' | 'settling' | 'refunded' | 'notPaid';

export function thanksState({ status }: Pledge): ThanksState {
  switch (status) {
    case 'paid':
    case 'partly_refunded':
    case 'disputed':
      return 'paid';
    case 'created':
    case 'awaiting_payment':
    case 'processing':
      return 'settling';
    case 'refunded':
      return 'refunded';
    case 'failed':
    case 'expired':
      return 'notPaid';
    default:
      return status satisfies never;
  }
}

/** What people call it: the part before the dash, "Höyry" of "Höyry – kylän yhteinen saunalautta". */
export function shortTitle(title: string): string {
  return title.split(/\s[–—]\s|:\s/, 1)[0] ?? title;
}

/** The sum that has to come together, major unit. */
export function goalOf({ min_goal, target_goal }: Pick<CampaignPreview, 'min_goal' | 'target_goal'>): number {
  return min_goal > 0 ? min_goal : target_goal;
}
