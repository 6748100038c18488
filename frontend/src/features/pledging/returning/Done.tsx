import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import type { Pledge } from '../../../api/pledging';
import { toCents } from '../../../domain/amounts';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { CircleCheckIcon } from '../../../ui/icons';
import { moneyOfCents } from '../money';
import timeline from '../Timeline.module.css';
import { ReturnLayout } from './ReturnLayout';
import classes from './ReturnLayout.module.css';

/** In milliseconds: long enough to read the title, and to press the button instead. */
const pause = 2_000;

/** A payment that is done. The thanks page follows by itself. */
export function Done({ pledge }: { pledge: Pledge }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const { campaign } = pledge;
  const to = paths.thanks(language, { id: pledge.campaign_id, slug: campaign.slug });
  useEffect(() => {
    const timer = setTimeout(() => void navigate(to, { replace: true }), pause);
    return () => clearTimeout(timer);
  }, [navigate, to]);
  const sum = moneyOfCents(language, toCents(pledge.amount), pledge.currency);
  const { last_day_of_funding: lastDay } = campaign;
  return (
    <ReturnLayout
      pledge={pledge}
      tone="done"
      icon={<CircleCheckIcon />}
      state={t('paymentReturn.done.state')}
      title={t('paymentReturn.done.title', { sum })}
      text={t('paymentReturn.done.text', { email: pledge.email })}
      ways={
        <Button component={Link} to={to} replace size="lg">
          {t('paymentReturn.done.goOn')}
        </Button>
      }
      after={t('paymentReturn.done.byItself')}
    >
      <ol className={`${timeline.root} ${classes.steps}`}>
        <li data-step="now">
          <p className={timeline.when}>{t('paymentReturn.done.charged')}</p>
          {pledge.payment_method && <p>{pledge.payment_method}</p>}
        </li>
        <li data-step="end" aria-current="step">
          <p className={timeline.when}>{t('paymentReturn.done.held')}</p>
          <p>
            {lastDay
              ? t('paymentReturn.done.heldUntil', { day: formatDay(language, lastDay) })
              : t('paymentReturn.done.heldToEnd')}
          </p>
        </li>
        <li data-step="missed">
          <p className={timeline.when}>{t('paymentReturn.done.toCreator')}</p>
        </li>
      </ol>
    </ReturnLayout>
  );
}
