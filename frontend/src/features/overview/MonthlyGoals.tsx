import { useTranslation } from 'react-i18next';
import type { OverviewMonthly } from '../../api/editing';
import { useLanguage } from '../../i18n';
import { formatCount } from '../../i18n/format';
import { Chip } from '../../ui/Chip';
import classes from './MonthlyGoals.module.css';
import part from './Part.module.css';
import { goalStates, type GoalState } from './rules';

/** The goals of monthly support: which are reached, which next month does not carry, and what the others lack. */
export function MonthlyGoals({ monthly }: { monthly: OverviewMonthly }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (monthly.goals.length === 0) return null;
  const { supporters, next_month } = monthly;
  return (
    <section aria-labelledby="overview-goals">
      <div className={part.head}>
        <h2 id="overview-goals">{t('overview.monthly.goals')}</h2>
        <span className="tk-small">{t('overview.monthly.goalsColumns')}</span>
      </div>
      <ul className={part.list}>
        {goalStates(monthly).map(({ goal_id, title, target, state }) => (
          <li key={goal_id} className={classes.row}>
            <span>
              {title}
              {state === 'shaky' && (
                <span className={classes.quiet}>
                  {t('overview.monthly.shaky', { count: next_month.supporters })}
                </span>
              )}
            </span>
            <span className={`${part.bar} ${classes.bar}`} aria-hidden="true">
              <span style={{ width: `${Math.min(1, supporters / target) * 100}%` }} />
            </span>
            <Chip tone={tones[state]}>
              {t(`overview.monthly.goal.${state}`, { count: target - supporters })}
            </Chip>
            <b>{formatCount(language, target)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}

const tones = { kept: 'spruce', shaky: 'cloud', missing: 'plain' } as const satisfies Record<
  GoalState,
  string
>;
