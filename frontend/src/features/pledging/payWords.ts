import type { TFunction } from 'i18next';
import type { Language } from '../../domain/languages';
import { debitSpan } from './bank/debitDays';
import type { PledgeValues } from './form/values';

/** What the pay button does with what is chosen, and when it is charged. One place, so that summary, button and bar agree. */
export interface PayWords {
  /** On the button, by the formatted sum, if there is one. */
  button: (sum: string | undefined) => string;
  buttonShort: string;
  /** In the band of the summary, and under it. */
  band: string;
  when?: string;
  /** Under the sum in the bar at the foot. */
  bar: string;
  /** Nothing can be paid before a method is chosen. */
  isUnchosen: boolean;
}

export interface PayWordsContext {
  t: TFunction;
  language: Language;
  values: Pick<PledgeValues, 'method' | 'bank_account'>;
  isMonthly: boolean;
  /** There is a sum to pay. */
  hasSum: boolean;
  /** Of the kept card that is chosen. */
  card: string | undefined;
  /** The account that is chosen may be debited without its bank being asked again. */
  hasMandate: boolean;
  /** YYYY-MM-DD. */
  today: string;
}

/** The words of what is chosen. */
export function payWords(context: PayWordsContext): PayWords {
  const { t, language, values, isMonthly, hasSum, card, hasMandate, today } = context;
  const now: PayWords = {
    button: (sum) => (sum === undefined ? t('pledge.payShort') : t('pledge.pay', { sum })),
    buttonShort: t('pledge.payShort'),
    band: t('pledge.chargedNow'),
    bar: t('pledge.chargedNowShort'),
    isUnchosen: false,
  };
  if (isMonthly) return now;
  const { method } = values;
  switch (method) {
    case '':
      // First what is bought is chosen.
      if (!hasSum) return now;
      return {
        button: () => t('pledge.chooseMethod'),
        buttonShort: t('pledge.chooseMethod'),
        band: t('pledge.toPay'),
        when: t('pledge.chooseMethodFirst'),
        bar: t('pledge.chooseMethodFirst'),
        isUnchosen: true,
      };
    case 'kept':
      return { ...now, when: card && t('pledge.fromCard', { card }) };
    case 'card':
    case 'page':
      return now;
    case 'bank': {
      const days = debitSpan(language, today);
      const debit = {
        band: t('pledge.bank.band'),
        when: t('pledge.bank.when', { days }),
        bar: t('pledge.bank.bar', { days }),
        isUnchosen: false,
      };
      const toAccounts = t('pledge.bank.toAccounts');
      if (values.bank_account === 'earlier')
        return { ...debit, button: () => toAccounts, buttonShort: toAccounts };
      if (hasMandate) return { ...now, ...debit };
      return {
        ...debit,
        button: (sum) => (sum === undefined ? t('pledge.bank.payShort') : t('pledge.bank.pay', { sum })),
        buttonShort: t('pledge.bank.payShort'),
      };
    }
    default:
      return method satisfies never;
  }
}
