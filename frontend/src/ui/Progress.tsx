import { useTranslation } from 'react-i18next';
import { isReached } from '../domain/goals';
import { goalPercent, missingAmount, progressBar } from '../domain/progress';
import { useLanguage } from '../i18n';
import { formatMoney, formatPercent } from '../i18n/format';
import { exactMoney } from '../i18n/progressText';
import classes from './Progress.module.css';

export interface ProgressProps {
  /** Money received, in the major unit. */
  confirmed: number;
  /** Money that banks have not confirmed yet, in the major unit. */
  settling?: number;
  goal: number;
  minGoal?: number;
  currency?: string;
  /** lg 12 px, sm 6 px in cards. */
  size?: 'lg' | 'sm';
  /** The creator hides the sum: a hatched bar that says so. */
  isHidden?: boolean;
  /** A legend under the bar: the confirmed and the unconfirmed sum. */
  hasLegend?: boolean;
  /** The confirmed sum is already shown above the bar, so the legend leaves it out. */
  isSumAbove?: boolean;
}

/** A campaign's progress bar, with one sentence as its text alternative. */
export function Progress(props: ProgressProps) {
  const {
    confirmed,
    settling = 0,
    goal,
    minGoal,
    currency,
    size = 'lg',
    isHidden,
    hasLegend,
    isSumAbove,
  } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });

  if (isHidden) {
    const label = t('progress.hidden');
    return (
      <div role="img" aria-label={label} className={`${classes.track} ${classes[size]} ${classes.hidden}`} />
    );
  }

  const bar = progressBar({ confirmed, settling, goal, minGoal });
  const facts = {
    percent: formatPercent(language, goalPercent(confirmed + settling, goal)),
    confirmed: money(confirmed),
    settling: money(settling),
    goal: money(goal),
  };
  // Only confirmed money reaches a goal: a payment that a bank is still processing may fail.
  const isOver = goal > 0 && confirmed > goal;
  const isMinReached = minGoal !== undefined && minGoal < goal && !isOver && isReached(confirmed, minGoal);
  const lacks = goalPercent(confirmed + settling, goal) >= 100 ? missingAmount(confirmed, goal) : undefined;
  const lacksText =
    lacks !== undefined && t('progress.lacks', { amount: exactMoney(language, lacks, currency) });
  const sentence = [
    settling > 0 ? t('progress.sentence', facts) : t('progress.sentencePlain', facts),
    lacksText,
    isOver && t('progress.over'),
    isMinReached && t('progress.minGoalReached', { goal: money(minGoal) }),
  ];

  return (
    <div>
      <div
        role="img"
        aria-label={sentence.filter(Boolean).join(' ')}
        className={`${classes.track} ${classes[size]}`}
      >
        <div className={classes.fill}>
          <div className={classes.confirmed} style={{ width: `${bar.confirmed * 100}%` }} />
          <div className={classes.settling} style={{ width: `${bar.settling * 100}%` }} />
        </div>
        {bar.line !== undefined && <div className={classes.line} style={{ left: `${bar.line * 100}%` }} />}
      </div>
      {hasLegend && (
        <ul className={classes.legend}>
          {(settling > 0 || !isSumAbove) && (
            <li>
              <span className={`${classes.key} ${classes.confirmed}`} />
              {t('progress.confirmed')} {!isSumAbove && facts.confirmed}
            </li>
          )}
          {settling > 0 && (
            <li>
              <span className={`${classes.key} ${classes.settling}`} />
              {t('progress.settling')} {facts.settling}
            </li>
          )}
          {lacksText && <li>{lacksText}</li>}
        </ul>
      )}
    </div>
  );
}
