import type { RefCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Campaign } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import { formatDayOfMonth } from '../../../i18n/dayOfMonth';
import { formatMoney, platformDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { ToggleButton } from '../../../ui/ToggleButton';
import { useNow } from '../../../ui/useNow';
import classes from './MonthlyPanel.module.css';
import panel from './PledgePanel.module.css';
import { useMonthlyChoice } from './useMonthlyChoice';

export interface MonthlySupportProps {
  campaign: Campaign;
  /** The ref for the main button. */
  buttonRef: RefCallback<Element>;
}

/** The amounts of monthly support, the button that repeats the chosen one, and when it is charged. */
export function MonthlySupport({ campaign, buttonRef }: MonthlySupportProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { levels, isLoading, level, isOwn, path, choose } = useMonthlyChoice(campaign);
  const { currency } = campaign;
  const short = (amount: number) =>
    formatMoney(language, amount, { cents: !Number.isInteger(amount), currency });
  const day = formatDayOfMonth(language, platformDay(useNow()));
  return (
    <div ref={buttonRef} className={classes.support}>
      {isLoading && <div className={classes.awaited} />}
      {levels.length > 0 && (
        <div role="group" aria-label={t('campaignPage.chooseAmount')} className={classes.amounts}>
          {levels.map((one) => (
            <ToggleButton
              key={one.reward_id}
              look="box"
              isPressed={one === level}
              onPress={() => choose(one)}
              label={`${short(one.amount)}, ${one.title}`}
            >
              {short(one.amount)}
            </ToggleButton>
          ))}
          <ToggleButton look="box" isPressed={isOwn} onPress={() => choose(undefined)}>
            {t('campaignPage.otherAmount')}
          </ToggleButton>
        </div>
      )}
      <Button component={Link} to={path} size="xl" fullWidth>
        {level
          ? t('campaignPage.supportWith', { amount: short(level.amount) })
          : t(isOwn || levels.length === 0 ? 'campaignPage.supportOwn' : 'campaignPage.supportMonthly')}
      </Button>
      <p className={panel.charge}>
        {level
          ? t('money.monthly', {
              amount: formatMoney(language, level.amount, { cents: true, currency }),
              day,
            })
          : t('money.monthlyOwn', { day })}
      </p>
    </div>
  );
}
