import type { TFunction } from 'i18next';
import type { OwnPledge } from '../../../api/own';
import type { Language } from '../../../domain/languages';
import { formatDate, formatMoney } from '../../../i18n/format';

/** What was paid for a pledge that was charged more than once, each charge in words; undefined of one charge. */
export const chargesOf = (
  { choice, currency }: OwnPledge,
  { t, language }: { t: TFunction; language: Language },
): string[] | undefined =>
  choice.charges?.map(({ amount, paid_at: paidAt, payment_method: method }) =>
    t(method ? 'myPledges.choice.chargedWith' : 'myPledges.choice.charged', {
      sum: formatMoney(language, amount, { cents: true, currency }),
      day: formatDate(language, paidAt),
      method,
    }),
  );
