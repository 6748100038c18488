import { useTranslation } from 'react-i18next';
import type { DeskMovement } from '../../../api/desk';
import { useLanguage } from '../../../i18n';
import { formatDate } from '../../../i18n/format';
import { useSum, useWords } from './useWords';
import classes from './Thing.module.css';

/** Movements of the ledger by day, with debit and credit. */
export function Ledger({ movements }: { movements: readonly DeskMovement[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useWords();
  const sum = useSum();
  return (
    <section className={classes.section} aria-labelledby="ledger">
      <h3 id="ledger">{t('desk.payment.ledger')}</h3>
      {movements.length === 0 ? (
        <p className={classes.lead}>{t('desk.payment.noLedger')}</p>
      ) : (
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by Tab
        <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('desk.payment.ledger')}>
          <table className={classes.ledger}>
            <thead>
              <tr>
                <th scope="col">{t('desk.column.day')}</th>
                <th scope="col">{t('desk.column.entry')}</th>
                <th scope="col">{t('desk.column.account')}</th>
                <th scope="col" className={classes.money}>
                  {t('desk.column.debit')}
                </th>
                <th scope="col" className={classes.money}>
                  {t('desk.column.credit')}
                </th>
              </tr>
            </thead>
            <tbody>
              {movements.flatMap(({ kind, booked_at: booked, reference, legs }, m) =>
                legs.map(({ account, amount_minor: minor, currency }, i) => (
                  <tr key={`${m} ${i}`} data-first={i === 0 || undefined}>
                    <td>{i === 0 && formatDate(language, booked)}</td>
                    <td title={reference}>{i === 0 && words('movement', kind)}</td>
                    <td>{words('account', account)}</td>
                    <td className={classes.money}>{minor > 0 && sum(minor, currency)}</td>
                    <td className={classes.money}>{minor < 0 && sum(-minor, currency)}</td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
