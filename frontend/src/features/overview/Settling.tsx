import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../api/content';
import type { CampaignOverview } from '../../api/editing';
import { useLanguage } from '../../i18n';
import { formatDay, formatMoney } from '../../i18n/format';
import { moneyTexts } from '../../i18n/moneyTexts';
import part from './Part.module.css';
import classes from './Settling.module.css';

/** Payments that banks have not confirmed yet, and what happens to the campaign's money in the end. */
export function Settling({ campaign, overview }: { campaign: Campaign; overview: CampaignOverview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { settling, funding_settling, funding_reached, target_goal, currency } = overview;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  // The team sees the sum even if it is hidden from visitors.
  const funding = { ...campaign, funding_reached, hide_funding_amount: false };
  return (
    <section aria-label={t('overview.settling', { amount: money(funding_settling) })}>
      {settling.length > 0 && (
        <>
          <h2 className={part.sideHead}>{t('overview.settling', { amount: money(funding_settling) })}</h2>
          <ul className={part.list}>
            {settling.map(({ method, day, pledges, amount }) => (
              <li key={`${method}-${day}`} className={classes.row}>
                <span className={`${part.key} ${part.hatch}`} aria-hidden="true" />
                <span>
                  {t('overview.settlingRow', { count: pledges })}
                  <br />
                  <span className="tk-small">
                    {method
                      ? t('overview.settlingDay', { method, day: formatDay(language, day) })
                      : formatDay(language, day)}
                  </span>
                </span>
                <b>{money(amount)}</b>
              </li>
            ))}
          </ul>
        </>
      )}
      {target_goal > 0 && (
        <p className={part.note}>{moneyTexts(funding, { t, language, hasReward: false }).creator()}</p>
      )}
    </section>
  );
}
