import { useTranslation } from 'react-i18next';
import type { SubscriptionLink } from '../../../../api/subscriptionPayments';
import { useLanguage } from '../../../../i18n';
import { capital } from '../../../../i18n/capital';
import { formatDate, formatMoney } from '../../../../i18n/format';
import { formatMonthName } from '../../../../i18n/months';

export interface LinkWords {
  title: string;
  text?: string;
  button: string;
  facts: { label: string; value: string }[];
}

/** What a mailed link does, or has come to, in words. */
export function useLinkWords(link: SubscriptionLink): LinkWords {
  const { t } = useTranslation();
  const language = useLanguage();
  const { act, state, campaign_title: campaign, currency, amount_minor: minor, card } = link;
  const money = (one: number) => formatMoney(language, one / 100, { cents: true, currency });
  const day = (one: string | undefined) => (one ? formatDate(language, one) : '');
  const words = {
    campaign,
    card,
    amount: minor === undefined ? '' : money(minor),
    month: link.day ? formatMonthName(language, link.day) : '',
    next: day(link.next_charge?.day),
    day: day(act === 'cancel' ? link.ends_on : link.day),
  };
  const next = link.next_charge;
  const isDue = triesAtOnce(link);
  // Without a next charge a card is for a month that waits: failed, held or on its way.
  const hasNone = act !== 'pay' && (act !== 'card' || link.ends_on !== undefined);
  const facts = [
    { label: t('supportLink.campaign'), value: campaign },
    ...((act === 'skip' && (state === 'open' || state === 'done')) || (act === 'pay' && state !== 'gone')
      ? [
          {
            label: t(act === 'skip' ? 'supportLink.leftOut' : 'supportLink.amount'),
            value: `${words.amount}, ${words.day}`,
          },
        ]
      : []),
    ...(link.ends_on ? [{ label: t('supportLink.until'), value: day(link.ends_on) }] : []),
    ...(next || hasNone
      ? [
          {
            label: t('supportLink.nextCharge'),
            value: next
              ? t('supportLink.nextValue', { amount: money(next.amount_minor), day: day(next.day) })
              : t('supportLink.noCharge'),
          },
        ]
      : []),
  ];
  const button =
    act === 'pay'
      ? t('subscription.due.pay', words)
      : act === 'card'
        ? t('subscription.card.save')
        : t(`supportLink.${act}.do`, words);
  switch (state) {
    case 'ended':
      return {
        title: t('supportLink.ended'),
        text: t('supportLink.endedText'),
        button,
        facts: facts.slice(0, 1),
      };
    case 'processing':
      return {
        title: t('supportLink.processing', words),
        text: t('supportLink.processingText'),
        button,
        facts,
      };
    case 'gone':
      return {
        title: capital(t(`supportLink.${act}.gone`, words)),
        text: t('supportLink.goneText'),
        button,
        facts,
      };
    case 'done':
      return { title: capital(t(`supportLink.${act}.done`, words)), button, facts };
    default:
      return { title: capital(t(`supportLink.${act}.ask`, words)), text: what(), button, facts };
  }

  function what() {
    if (act === 'cancel' && !link.ends_on) return t('supportLink.cancel.whatNow');
    if (isDue) return t('supportLink.card.whatDue');
    if (isCardForNext(link)) return t('supportLink.card.whatNext');
    if ((act === 'pay' || act === 'card') && !card) return t(`supportLink.${act}.whatPlain`);
    return t(`supportLink.${act}.what`, words);
  }
}

/** Whether a month that is to be paid is charged to the new card at once. */
export function triesAtOnce({ state, tries_at_once: isTried = false }: SubscriptionLink): boolean {
  return state === 'open' && isTried;
}

/** Whether it is not known that nothing is charged now: a month is held, or its charge is on its way with the old card. */
export function isCardForNext({ act, next_charge: next, ends_on: endsOn }: SubscriptionLink): boolean {
  return act === 'card' && !next && !endsOn;
}
