import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Pledge } from '../../../api/pledging';
import { toCents } from '../../../domain/amounts';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { ClockIcon } from '../../../ui/icons';
import { debitSpan } from '../bank/debitDays';
import { moneyOfCents } from '../money';
import timeline from '../Timeline.module.css';
import { ReturnLayout } from './ReturnLayout';
import classes from './ReturnLayout.module.css';

export interface OnItsWayProps {
  pledge: Pledge;
  /** The day on which the debit was begun, YYYY-MM-DD. */
  day: string;
}

/** A debit that the bank has to confirm, which takes days: when the money leaves, and what comes then. */
export function OnItsWay({ pledge, day }: OnItsWayProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { campaign } = pledge;
  const sum = moneyOfCents(language, toCents(pledge.amount), pledge.currency);
  const days = debitSpan(language, day);
  const { last_day_of_funding: lastDay } = campaign;
  return (
    <ReturnLayout
      pledge={pledge}
      tone="way"
      icon={<ClockIcon />}
      state={t('paymentReturn.debit.onItsWay')}
      title={t('paymentReturn.debit.bankConfirms', { sum })}
      text={t('paymentReturn.debit.debitText', { days })}
      ways={
        <>
          <Button
            component={Link}
            to={paths.campaign(language, { id: pledge.campaign_id, slug: campaign.slug })}
            size="lg"
          >
            {t('paymentReturn.debit.back')}
          </Button>
          <Button component={Link} to={paths.myPledges(language)} variant="transparent" size="lg">
            {t('paymentReturn.debit.own')}
          </Button>
        </>
      }
    >
      <ol className={`${timeline.root} ${classes.steps}`}>
        <li data-step="now">
          <p className={timeline.when}>{t('paymentReturn.debit.mandateDone')}</p>
          <p>{formatDay(language, day)}</p>
        </li>
        <li data-step="end" aria-current="step">
          <p className={timeline.when}>
            {t('paymentReturn.debit.bankStep')} {days}
          </p>
          <p>{t('paymentReturn.debit.bankStepText')}</p>
        </li>
        <li data-step="missed">
          <p className={timeline.when}>
            {t('paymentReturn.debit.held')} {lastDay && formatDay(language, lastDay)}
          </p>
        </li>
        <li data-step="missed">
          <p className={timeline.when}>{t('paymentReturn.debit.ifNot')}</p>
          <p>{t('paymentReturn.debit.ifNotText')}</p>
        </li>
      </ol>
    </ReturnLayout>
  );
}
