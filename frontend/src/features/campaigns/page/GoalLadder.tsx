import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../i18n';
import { formatCount } from '../../../i18n/format';
import { CheckIcon } from '../../../ui/icons';
import type { Step } from '../rules';
import classes from './GoalLadder.module.css';

export interface GoalLadderProps {
  steps: readonly Step[];
  /** Undefined if the creator hides it. */
  supporters?: number;
}

/** A monthly campaign's goals in order, joined by bars that fill up with the number of supporters. */
export function GoalLadder({ steps, supporters }: GoalLadderProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <ol className={classes.root}>
      {steps.map(({ goalId, title, description, target, state }, place) => (
        <li
          key={goalId}
          className={`${classes.step} ${classes[state]}`}
          aria-current={state === 'next' ? 'step' : undefined}
        >
          <span className={classes.node} aria-hidden="true">
            {state === 'reached' ? <CheckIcon size={16} /> : place + 1}
          </span>
          {place < steps.length - 1 && (
            <span className={classes.bar} aria-hidden="true">
              <span className={classes.fill} style={{ height: `${(steps[place + 1]?.share ?? 0) * 100}%` }} />
            </span>
          )}
          <p className={classes.title}>
            {title}
            <span className={classes.target}>
              {formatCount(language, target)}{' '}
              <span className="tk-visually-hidden">
                {t('campaignPage.supportersWord', { count: target })}
              </span>
            </span>
          </p>
          <p className={classes.words}>
            {state === 'reached' && (
              <span className="tk-visually-hidden">{t('campaignPage.goalReached')} </span>
            )}
            {state === 'next' && supporters !== undefined
              ? t('campaignPage.goalNext', { count: target - supporters })
              : description}
          </p>
        </li>
      ))}
    </ol>
  );
}
