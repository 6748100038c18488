import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { subscriptionPayments, type Subscription } from '../../../api/subscriptionPayments';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { formatDay, formatMoney, platformDay } from '../../../i18n/format';
import { daysBetween, formatCardMonth, formatFullDay } from '../../../i18n/months';
import { Button } from '../../../ui/Button';
import { CardIcon } from '../../../ui/icons';
import { useChange } from '../../../ui/limit/useChange';
import { Money } from '../../../ui/Money';
import { inLanguage } from '../../../ui/own/paying';
import { SwitchField } from '../../../ui/SwitchField';
import { useNow } from '../../../ui/useNow';
import { ChangeCard } from './ChangeCard';
import classes from './NextCharge.module.css';

/** The panel: what is charged next and when, the card, the level as it is stored, and notices. */
export function NextCharge({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const { make } = useChange();
  const today = platformDay(useNow());
  const [isChangingCard, setChangingCard] = useState(false);
  const { id, next_charge: next, ends_on: endsOn, currency, card, level, notify_before } = subscription;
  const { next_level: change, held } = subscription;
  const money = (minor: number) => formatMoney(language, minor / 100, { cents: true, currency });
  const reward = level.reward ?? subscription.reward;
  // Shown as pressed until the server has answered, and put back if it refuses.
  const [pressed, setPressed] = useState<boolean>();

  const notify = async (notify_: boolean) => {
    setPressed(notify_);
    const call = subscriptionPayments.endpoints.setSubscriptionNotices.initiate({
      subscriptionId: id,
      subscriptionNotices: { notify_before: notify_ },
    });
    await make(() => dispatch(call), t('subscription.next.saved'));
    setPressed(undefined);
  };

  return (
    <section aria-labelledby="next-charge" className={classes.root}>
      {/* While a charge is on its way, the next one is not known yet. */}
      {next || endsOn || held ? (
        <div className={classes.head}>
          <h2 id="next-charge" className={classes.label}>
            {t(next ? 'subscription.next.label' : 'subscription.next.none')}
          </h2>
          {next && (
            <>
              <p className={classes.sum}>
                <Money amount={next.amount_minor / 100} currency={currency} hasCents />
              </p>
              <p className={classes.day}>{formatFullDay(language, next.day)}</p>
              {next.day >= today && (
                <p className={classes.help}>
                  {t('subscription.next.inDays', { count: daysBetween(today, next.day) })}
                </p>
              )}
            </>
          )}
        </div>
      ) : (
        <h2 id="next-charge" className="tk-visually-hidden">
          {t('subscription.next.label')}
        </h2>
      )}
      <div className={classes.rows}>
        {card && (
          <div className={classes.row}>
            <CardIcon />
            <div>
              <p className={classes.name}>{card.label}</p>
              {card.expires && (
                <p className={classes.help}>
                  {t('subscription.next.validTo', { month: formatCardMonth(language, card.expires) })}
                </p>
              )}
            </div>
            <Button
              variant="transparent"
              size="sm"
              aria-expanded={isChangingCard}
              onClick={() => setChangingCard(!isChangingCard)}
            >
              {t('subscription.next.changeCard')}
            </Button>
          </div>
        )}
        {card && isChangingCard && (
          <ChangeCard subscription={subscription} onClose={() => setChangingCard(false)} />
        )}
        <div className={classes.row}>
          <div>
            <p className={classes.name}>
              {reward ? inLanguage(reward.title, language) : t('subscription.next.own')}
            </p>
            <p className={classes.help}>
              {t('subscription.next.aMonth', { amount: money(level.amount_minor) })}
            </p>
            {change && next && (
              <p className={classes.help}>
                {t('subscription.next.changeFrom', {
                  day: formatDay(language, next.day),
                  amount: money(change.amount_minor),
                })}
              </p>
            )}
          </div>
        </div>
        <div className={classes.row}>
          <SwitchField
            label={t('subscription.next.notify')}
            help={t('subscription.next.notifyHelp')}
            isOn={pressed ?? notify_before}
            onChange={(isOn) => void notify(isOn)}
          />
        </div>
      </div>
      {next && (
        <p className={classes.rule}>
          <Trans i18nKey="subscription.next.ifFails" components={{ b: <b /> }} />
        </p>
      )}
    </section>
  );
}
