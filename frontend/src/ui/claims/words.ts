import { useTranslation } from 'react-i18next';
import type { Claim } from '../../api/claims';
import { useLanguage } from '../../i18n';
import { formatDay, formatMoney, formatWeekday } from '../../i18n/format';
import { lastDay } from './days';

/** Whom a claim waits for, or how it ended, as its chip says it. */
export const tones = {
  open: 'cloud',
  resend_offered: 'cloud',
  part_offered: 'cloud',
  promised: 'cloud',
  with_staff: 'info',
  agreed: 'spruce',
  decided: 'plain',
  closed: 'plain',
} as const;

const holders = {
  open: ['creator', 'creator'],
  resend_offered: ['you', 'backer'],
  part_offered: ['you', 'backer'],
  promised: ['creator', 'creator'],
  with_staff: ['staff', 'staff'],
  agreed: ['agreed', 'agreed'],
  decided: ['decided', 'decided'],
  closed: ['closed', 'closed'],
} as const;

/** A claim's sentences. */
export function useClaimWords() {
  const { t } = useTranslation();
  const language = useLanguage();
  const money = ({ currency }: Pick<Claim, 'currency'>, amount: number) =>
    formatMoney(language, amount, { cents: true, currency });
  const due = ({ due_at: at }: Claim) => (at ? formatWeekday(language, lastDay(at)) : '');
  const isSilent = ({ messages }: Claim) =>
    messages.findLast(({ act }) => act !== 'message')?.act === 'silence';
  return {
    money,
    due,
    day: ({ day }: Claim) => (day ? formatDay(language, day) : ''),
    chip: (state: Claim['state'], isBacker: boolean) => t(`claims.chip.${holders[state][isBacker ? 0 : 1]}`),
    /** The title of the backer's card. */
    headline: (claim: Claim): string => {
      const { state, kind, returned } = claim;
      if (state === 'open') return t(`claims.kind.${kind}`);
      if (state === 'with_staff') return t(`claims.headline.${isSilent(claim) ? 'silent' : 'with_staff'}`);
      if (state === 'decided' && returned === 0) return t('claims.headline.nothing');
      return t(`claims.headline.${state}`, {
        amount: money(claim, state === 'part_offered' ? (claim.offered ?? 0) : returned),
        day: claim.day && formatWeekday(language, claim.day),
      });
    },
    /** What happens next, for the backer. */
    next: (claim: Claim): string => {
      const { state, due_at: at } = claim;
      if (state === 'open' || state === 'closed') return '';
      if (state === 'decided' && !at) return t('claims.next.final');
      return t(`claims.next.${state}`, { amount: money(claim, claim.left), day: due(claim) });
    },
    /** What happens next, for the team and staff. */
    nextTeam: (claim: Claim): string => {
      const { state } = claim;
      if (state === 'open') return '';
      if (state === 'decided' && claim.returned === 0) return t('claims.headline.nothing');
      return t(`claims.nextTeam.${state}`, { amount: money(claim, claim.returned), day: due(claim) });
    },
  };
}
