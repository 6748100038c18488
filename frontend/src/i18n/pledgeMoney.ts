import type { TFunction } from 'i18next';
import type { OwnPledge } from '../api/own';
import type { Language } from '../domain/languages';
import { toCents } from '../domain/amounts';
import { campaignStages, takesPledges } from '../domain/stages';
import { bankingDays } from './bankingDays';
import { formatDay, formatMoney, formatPastDay, formatTime, platformDay } from './format';
import { moneyTexts } from './moneyTexts';

/** passed · now: the money is there · ahead · returned: it went back · failed: the bank refused. */
export type StopState = 'passed' | 'now' | 'ahead' | 'returned' | 'failed';

/** A stop on the way of a pledge's money. */
export interface Stop {
  /** In words, such as "Charged". */
  name: string;
  state: StopState;
  /** When, in words; '' if that is not known. */
  when: string;
  /** The bank is confirming: the way to this stop is hatched. */
  isSettling?: boolean;
}

/** Where a pledge's money is, in words. */
export interface PledgeMoney {
  /** In one sentence. */
  sentence: string;
  /** What comes next. */
  next: string;
  stops: Stop[];
  /** We hold it, or it is on its way to us: the sum is in the colour for money. */
  isWithUs: boolean;
}

/** How the texts are written; `now` in milliseconds. */
export interface PledgeMoneyContext {
  t: TFunction;
  language: Language;
  now: number;
}

/** The days between which money that goes back today reaches its card or account. */
function backDays(language: Language, from = ''): string {
  return from ? bankingDays(language, platformDay(Date.parse(from)), 3, 5) : '';
}

/** Whether the campaign has ended so that its money is the creator's. */
function isCreators({ campaign: { stage }, funding_rule: rule }: OwnPledge): boolean {
  return (
    stage === campaignStages.succeeded ||
    (stage === campaignStages.notReached && rule === 'keep_what_is_raised')
  );
}

/** Why all of a pledge's money went back, where that is known, and when it arrives. */
function whyBack({ refund_reason: reason, campaign }: OwnPledge, t: TFunction): string {
  if (reason === 'reward_gone') return t('thanks.lead.rewardGone');
  const arrives = t('thanks.lead.refunded');
  if (reason === 'campaign_failed') return `${t('myPledges.money.missed')} ${arrives}`;
  if (reason !== 'campaign_canceled') return arrives;
  return `${t(campaign.hold === 'stopped' ? 'hold.backerReturned' : 'myPledges.money.canceled')} ${arrives}`;
}

/** What of a pledge is neither back nor at a bank; in whole cents, since sums of euros have remainders. */
const leftOf = ({
  amount,
  amount_refunded: refunded = 0,
  amount_contested: contested = 0,
}: OwnPledge): number => (toCents(amount) - toCents(refunded) - toCents(contested)) / 100;

/** What is said of a pledge of which a bank has all, some, or all that did not go back. */
function contestedTexts(pledge: OwnPledge, { t, language }: PledgeMoneyContext) {
  const { currency, amount_refunded: refunded = 0, amount_contested: contested = 0 } = pledge;
  const sum = (of: number) => formatMoney(language, of, { cents: true, currency });
  const left = leftOf(pledge);
  const sums = { contested: sum(contested), left: sum(left), returned: sum(refunded) };
  if (contested > 0 && left > 0) {
    return {
      sentence: t(`myPledges.money.contestedPart${isCreators(pledge) ? 'Creators' : ''}`, sums),
      next: t('myPledges.money.contestedPartNext'),
    };
  }
  if (contested > 0 && refunded > 0) {
    return {
      sentence: t('myPledges.money.contestedRest', sums),
      next: t('myPledges.money.contestedRestNext'),
    };
  }
  return { sentence: t('myPledges.money.contested'), next: t('myPledges.money.contestedNext') };
}

/**
 * Where the money of a pledge is and what comes next. What the campaign's rule means for it is said by moneyTexts, as
 * on the campaign's page and the receipt. Once a campaign has ended well its money is the creator's, and when it is
 * paid out is told to them alone: no money is said to have reached a creator, nor to be kept with us any longer.
 */
export function pledgeMoney(pledge: OwnPledge, { t, language, now }: PledgeMoneyContext): PledgeMoney {
  const { status, campaign, currency, amount, amount_refunded: refunded = 0 } = pledge;
  const { amount_contested: contested = 0 } = pledge;
  const day = (time?: string) => (time ? formatPastDay(language, time, now) : '');
  const sum = (of: number) => formatMoney(language, of, { cents: true, currency });
  const rule = moneyTexts(
    { ...campaign, funding_rule: pledge.funding_rule },
    { t, language, hasReward: Boolean(pledge.reward_id) },
  );
  const lastDay =
    takesPledges(campaign) && campaign.last_day_of_funding
      ? t('myPledges.until', { day: formatDay(language, campaign.last_day_of_funding) })
      : '';

  const passed = (name: string, time?: string): Stop => ({ name, state: 'passed', when: day(time) });
  const ahead = (name: string, when = ''): Stop => ({ name, state: 'ahead', when });
  const promised = passed(t('myPledges.stop.promised'), pledge.promised_at);
  const charged = passed(t('myPledges.stop.charged'), pledge.charged_at);
  const settled = passed(t('myPledges.stop.settled'), pledge.paid_at);
  const last = ahead(rule.outcome === 'returned' ? t('myPledges.stop.returns') : t('myPledges.stop.paidOut'));
  const toCome = [ahead(t('myPledges.stop.held'), lastDay), last];

  switch (status) {
    case 'created':
    case 'awaiting_payment':
    case 'expired': {
      // Once a payment has begun, only the payment service knows whether it was charged.
      const key = status === 'awaiting_payment' ? 'paying' : 'unpaid';
      return {
        sentence: t(`myPledges.money.${key}`),
        next: t(`myPledges.money.${key}Next`, { time: formatTime(language, pledge.reserved_until) }),
        stops: [
          { ...promised, state: 'now' },
          ahead(t('myPledges.stop.charged')),
          ahead(t('myPledges.stop.settled')),
          ...toCome,
        ],
        isWithUs: false,
      };
    }
    case 'processing':
      return {
        sentence: t('myPledges.money.settling'),
        next: t('myPledges.money.settlingNext'),
        stops: [
          promised,
          charged,
          { name: t('myPledges.stop.settling'), state: 'now', when: t('myPledges.days'), isSettling: true },
          ...toCome,
        ],
        isWithUs: true,
      };
    case 'paid':
    case 'partly_refunded': {
      const held = isCreators(pledge) ? 'creators' : 'held';
      const sums = { left: sum(amount - refunded), returned: sum(refunded) };
      return {
        sentence: t(`myPledges.money.${held}${refunded > 0 ? 'Part' : ''}`, sums),
        next: rule.receipt,
        stops: [
          promised,
          charged,
          settled,
          ...(held === 'held'
            ? [{ name: t('myPledges.stop.held'), state: 'now' as const, when: lastDay }, last]
            : [passed(t('myPledges.stop.held')), { ...last, state: 'now' as const }]),
        ],
        isWithUs: held === 'held',
      };
    }
    case 'disputed':
      return {
        ...contestedTexts(pledge, { t, language, now }),
        stops: [
          promised,
          charged,
          settled,
          { name: t('myPledges.stop.contested'), state: 'now', when: '' },
          last,
        ],
        isWithUs: false,
      };
    case 'refunded': {
      const back: Stop = {
        name: t('myPledges.stop.returned'),
        state: 'returned',
        when: day(pledge.refunded_at),
      };
      const { at } = pledge.withdrawal;
      const taken: Stop | undefined =
        at && pledge.refund_reason === 'withdrawn'
          ? { name: t('myPledges.stop.withdrawn'), state: 'returned', when: day(at) }
          : undefined;
      // Money that was never accepted has been neither confirmed nor held.
      const before = pledge.paid_at
        ? [promised, charged, settled, passed(t('myPledges.stop.held'))]
        : [promised, charged];
      return {
        sentence: t('myPledges.money.returned', { day: day(pledge.refunded_at) }),
        next: whyBack(pledge, t),
        stops: [...before, ...(taken ? [taken] : []), back],
        isWithUs: false,
      };
    }
    case 'withdrawn': {
      const { withdrawal, paid_at: paidAt } = pledge;
      const back: Stop = { name: t('myPledges.stop.withdrawn'), state: 'returned', when: day(withdrawal.at) };
      return {
        sentence: t('myPledges.money.withdrawn'),
        // What a bank was still confirming has not arrived yet, if it ever does.
        next: paidAt
          ? [
              leftOf(pledge) > 0 &&
                t('myPledges.money.withdrawnNext', {
                  amount: sum(leftOf(pledge)),
                  days: backDays(language, withdrawal.at),
                }),
              contested > 0 && t('myPledges.money.withdrawnContested', { contested: sum(contested) }),
            ]
              .filter(Boolean)
              .join(' ')
          : t('myPledges.money.withdrawnSettling', { amount: sum(amount) }),
        stops: paidAt
          ? [
              promised,
              charged,
              settled,
              back,
              ahead(t('myPledges.stop.back'), leftOf(pledge) > 0 ? backDays(language, withdrawal.at) : ''),
            ]
          : [promised, charged, back, ahead(t('myPledges.stop.back'))],
        isWithUs: false,
      };
    }
    case 'failed':
      return {
        sentence: t(`myPledges.money.${pledge.withdrawal.state === 'done' ? 'withdrawn' : 'failed'}`),
        next: t('myPledges.money.failedNext'),
        // What the bank refused was never charged.
        stops: [promised, { name: t('myPledges.stop.failed'), state: 'failed', when: day(pledge.failed_at) }],
        isWithUs: false,
      };
    default:
      return status satisfies never;
  }
}
