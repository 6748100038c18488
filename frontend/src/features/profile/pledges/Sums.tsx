import { useTranslation } from 'react-i18next';
import type { PledgeSums } from '../../../api/own';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import classes from './MyPledgesPage.module.css';

/** What all of a person's pledges come to. What a bank examines is told only when there is some. */
export function Sums({ sums }: { sums: readonly PledgeSums[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return sums.map(({ currency, held, on_its_way: onItsWay, contested, returned }) => {
    const shown = [
      { key: 'held', amount: held, isWithUs: true },
      { key: 'onItsWay', amount: onItsWay, isWithUs: true },
      ...(contested > 0 ? [{ key: 'contested', amount: contested, isWithUs: false } as const] : []),
      { key: 'returned', amount: returned, isWithUs: false },
    ] as const;
    return (
      <dl key={currency} aria-label={t('myPledges.sums.label')} className={classes.sums}>
        {shown.map(({ key, amount, isWithUs }) => (
          <div key={key}>
            <dt>{t(`myPledges.sums.${key}`)}</dt>
            <dd data-with-us={(isWithUs && amount > 0) || undefined}>
              {formatMoney(language, amount, { cents: true, currency })}
            </dd>
          </div>
        ))}
      </dl>
    );
  });
}
