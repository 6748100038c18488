import { useTranslation } from 'react-i18next';
import type { ExperimentFunding } from '../../api/content';
import { experimentPercent } from '../../domain/progress';
import { useLanguage } from '../../i18n';
import { formatMoney, formatPercent } from '../../i18n/format';
import classes from './FundingBar.module.css';

/** Where an experiment's money comes from: one bar, its parts side by side, and what they are in words. */
export function FundingBar({ funding }: { funding: ExperimentFunding }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { goal, raised, currency, sources } = funding;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  const parts = (['crowd', 'organizations', 'state'] as const)
    .map((name) => ({ name, amount: sources[name].raised }))
    .filter(({ amount }) => amount > 0);
  const full = Math.max(goal, raised);
  const percent = formatPercent(language, experimentPercent(raised, goal));
  return (
    <div>
      <div
        role="img"
        aria-label={t('experiments.barLabel', { raised: money(raised), goal: money(goal), percent })}
        className={classes.track}
      >
        {parts.map(({ name, amount }) => (
          <span
            key={name}
            className={`${classes.part} ${classes[name]}`}
            style={{ width: `${(amount / full) * 100}%` }}
          />
        ))}
      </div>
      {parts.length > 0 && (
        <ul className={classes.legend}>
          {parts.map(({ name, amount }) => (
            <li key={name}>
              <span aria-hidden="true" className={`${classes.key} ${classes[name]}`} />
              {t(`experiments.source.${name}`, { amount: money(amount) })}
            </li>
          ))}
        </ul>
      )}
      {sources.crowd.hidden && <p className={classes.note}>{t('experiments.crowdHidden')}</p>}
    </div>
  );
}
