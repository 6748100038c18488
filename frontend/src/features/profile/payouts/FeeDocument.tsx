import { useTranslation } from 'react-i18next';
import type { FeeCredit, FeeDocument as Fee } from '../../../api/payees';
import { useLanguage } from '../../../i18n';
import { formatDate, formatShare } from '../../../i18n/format';
import classes from './StatementPage.module.css';

export interface FeeDocumentProps {
  fee: Fee;
  credits: readonly FeeCredit[];
  sum: (minor: number) => string;
  buyer: string;
}

/** Our fee as an invoice that has been paid, with its tax, and what of it has gone back since. */
export function FeeDocument({ fee, credits, sum, buyer }: FeeDocumentProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const rate = formatShare(language, fee.vat_percent / 100);
  const rows = [
    ['number', fee.number],
    ['issued', formatDate(language, fee.issued_on)],
    ['seller', t('payouts.statement.fee.us')],
    ['buyer', buyer],
    ['net', sum(fee.net_minor)],
    ['vat', sum(fee.vat_minor)],
    ['total', sum(fee.net_minor + fee.vat_minor)],
  ] as const;
  return (
    <section aria-labelledby="fee" className={classes.part}>
      <h2 id="fee">{t('payouts.statement.fee.title')}</h2>
      <p>{t('payouts.statement.fee.text')}</p>
      <dl className={classes.parties}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`payouts.statement.fee.${name}`, { rate })}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {credits.length > 0 && (
        <>
          <h3>{t('payouts.statement.fee.credits')}</h3>
          <p>{t('payouts.statement.fee.creditsText', { number: fee.number })}</p>
          <ul className={classes.credits}>
            {credits.map(({ number, day, net_minor: net, vat_minor: vat }) => (
              <li key={number}>
                {t('payouts.statement.fee.credit', {
                  number,
                  day: formatDate(language, day),
                  net: sum(net),
                  vat: sum(vat),
                  total: sum(net + vat),
                })}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
