import { Button } from '../../../ui/Button';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Pledge } from '../../../api/pledging';
import { selectIsSignedIn } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { formatDay, formatMonth } from '../../../i18n/format';
import { askToSignIn } from '../../../ui/signInPrompt';
import classes from './NextSteps.module.css';

export interface NextStepsProps {
  pledge: Pledge;
  /** For the sign-up form, because the pledge response does not have it. */
  lastName: string;
}

/** What happens next: now, at the end of the campaign, and when the reward is delivered. */
export function NextSteps({ pledge, lastName }: NextStepsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const { last_day_of_funding: lastDay } = pledge.campaign;
  const prefill = { email: pledge.email, first_name: pledge.first_name, last_name: lastName };
  return (
    <section className={`tk-container ${classes.root}`} aria-labelledby="next">
      <h2 id="next">{t('thanks.next.title')}</h2>
      <ol className={classes.steps}>
        <li>
          <h3 className={classes.when}>{t('thanks.next.now')}</h3>
          <p>{isSignedIn ? t('thanks.next.receipt', { email: pledge.email }) : t('thanks.next.account')}</p>
          {!isSignedIn && (
            <Button
              variant="light"
              size="sm"
              className={classes.offer}
              onClick={() => dispatch(askToSignIn({ mode: 'signUp', prefill }))}
            >
              {t('auth.makeAccount')}
            </Button>
          )}
        </li>
        {lastDay && (
          <li>
            <h3 className={classes.when}>{formatDay(language, lastDay)}</h3>
            <p>{t('thanks.next.ends')}</p>
          </li>
        )}
        {pledge.delivery && (
          <li>
            <h3 className={classes.when}>{formatMonth(language, pledge.delivery)}</h3>
            <p>{t('thanks.next.delivery')}</p>
          </li>
        )}
      </ol>
    </section>
  );
}
