import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimedPledge as Pledge } from '../../api/claims';
import { useLanguage } from '../../i18n';
import { formatDate, formatMoney, formatMonth } from '../../i18n/format';
import classes from '../../ui/claims/Claims.module.css';
import { RewardTitle } from '../../ui/RewardTitle';

/** The pledge that a claim is about, and where the money would come from. */
export function ClaimedPledge({ pledge, isStaff }: { pledge: Pledge; isStaff: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const money = (amount: number) => formatMoney(language, amount, { cents: true, currency: pledge.currency });
  const { address, reward_title: reward } = pledge;
  const facts: [string, ReactNode][] = [
    [
      'reward',
      reward ? <RewardTitle title={reward} language={pledge.reward_language} /> : t('claims.about.none'),
    ],
    ['paid', `${money(pledge.amount)}${pledge.paid_at ? `, ${formatDate(language, pledge.paid_at)}` : ''}`],
    ['returned', pledge.refunded > 0 ? money(pledge.refunded) : undefined],
    ['receipt', pledge.receipt_number || undefined],
    ['promised', pledge.delivery ? formatMonth(language, pledge.delivery) : undefined],
    ['address', address && `${address.address_street}, ${address.address_postcode} ${address.address_city}`],
  ];
  return (
    <aside className={classes.aside}>
      <section>
        <h2 className={classes.cardTitle}>{t('claims.about.title')}</h2>
        <dl className={classes.facts}>
          {facts.map(
            ([name, value]) =>
              value && (
                <div key={name}>
                  <dt>{t(`claims.about.${name as 'reward'}`)}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
      </section>
      {!isStaff && (
        <section className={classes.box}>
          <h2>{t('claims.from.title')}</h2>
          <p className={classes.small}>{t('claims.from.text')}</p>
        </section>
      )}
    </aside>
  );
}
