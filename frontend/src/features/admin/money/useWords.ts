import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';

/** The groups of desk.* whose keys are codes of the payment service. */
export type WordGroup =
  | 'account'
  | 'dispute'
  | 'event'
  | 'fraud'
  | 'movement'
  | 'provider'
  | 'queue'
  | 'reason'
  | 'refundCount'
  | 'refund.reason'
  | 'refund.status'
  | 'run.move'
  | 'run.moveState'
  | 'runState'
  | 'status'
  | 'where';

/** A code in words; one that has none, such as a provider's own, is shown as it is. */
export function useWords() {
  const { t, i18n } = useTranslation();
  return (group: WordGroup, code: string): string => {
    const key = `desk.${group}.${code}` as 'desk.title';
    // A code with a dot would lead elsewhere in the texts.
    return !code.includes('.') && i18n.exists(key as string) ? t(key) : code;
  };
}

/** An amount in minor units, with its cents: on this desk always. */
export function useSum() {
  const language = useLanguage();
  return (minor: number, currency: string) => formatMoney(language, minor / 100, { cents: true, currency });
}
