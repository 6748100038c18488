import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { usePledgeQuery } from '../../api/pledging';
import { useLanguage } from '../../i18n';
import { formatTime } from '../../i18n/format';
import { Button } from '../../ui/Button';
import { AlertCircleIcon, CardIcon, ExternalLinkIcon, MinusIcon } from '../../ui/icons';
import { OptionRow } from '../../ui/OptionRow';
import classes from './NoFunds.module.css';

/** What helps when a card does not cover the sum. */
export type WayOn = 'card' | 'page' | 'smaller';

export interface NoFundsProps {
  /** The pledge that waits for another card; undefined of monthly support, which holds nothing. */
  pledgeId: string | undefined;
  /** What was refused, formatted. */
  sum: string;
  isMonthly: boolean;
  /** The hosted page is another way to pay. */
  hasPage: boolean;
  /** What is charged for one less of the reward, formatted, with its name; undefined when only another choice is smaller. */
  oneLess: { label: string; sum: string } | undefined;
  onGoOn: (way: WayOn) => void;
  /** The text that says why nothing was paid. */
  reason: RefObject<HTMLElement | null>;
  /** The button in place of the pay button. */
  button: RefObject<HTMLButtonElement | null>;
}

/** In place of the pay button, which would be refused again: the ways on when a card does not cover the sum. None is chosen. */
export function NoFunds({
  pledgeId,
  sum,
  isMonthly,
  hasPage,
  oneLess,
  onGoOn,
  reason,
  button,
}: NoFundsProps) {
  const { t } = useTranslation();
  const until = useHeldUntil(pledgeId);
  const [way, setWay] = useState<WayOn>();
  const row = (value: WayOn) => ({
    name: 'way-on',
    value,
    isChecked: way === value,
    onChoose: () => setWay(value),
  });
  return (
    <>
      <div ref={reason as RefObject<HTMLDivElement>} tabIndex={-1} role="alert" className={classes.message}>
        <AlertCircleIcon />
        <div>
          <h2 className={classes.title}>{t('pledge.noFunds.title', { sum })}</h2>
          <p>
            {isMonthly
              ? t('pledge.noFunds.textMonthly')
              : until === undefined
                ? t('pledge.noFunds.text')
                : t('pledge.noFunds.textUntil', { time: until })}
          </p>
        </div>
      </div>
      <div role="radiogroup" aria-label={t('pledge.already.legend')} className={classes.ways}>
        <OptionRow
          {...row('card')}
          icon={<CardIcon />}
          label={t('pledge.noFunds.card')}
          detail={t('pledge.noFunds.cardDetail')}
        />
        {!isMonthly && hasPage && (
          <OptionRow
            {...row('page')}
            icon={<ExternalLinkIcon />}
            label={t('pledge.method.page')}
            detail={t('pledge.method.pageNote')}
          />
        )}
        <OptionRow
          {...row('smaller')}
          icon={<MinusIcon />}
          label={oneLess?.label ?? t(isMonthly ? 'pledge.noFunds.smallerMonthly' : 'pledge.noFunds.smaller')}
          detail={
            oneLess ? t('pledge.noFunds.oneLess', { sum: oneLess.sum }) : t('pledge.noFunds.smallerDetail')
          }
        />
      </div>
      <Button
        ref={button}
        size="xl"
        fullWidth
        disabled={way === undefined}
        onClick={() => way && onGoOn(way)}
      >
        {t(way ? 'pledge.already.goOn' : 'pledge.noFunds.chooseFirst')}
      </Button>
    </>
  );
}

/** Until when a pledge waits for its payment; undefined until the service has said it. */
function useHeldUntil(pledgeId: string | undefined): string | undefined {
  const language = useLanguage();
  const { data } = usePledgeQuery(
    { pledgeId: pledgeId ?? '', language },
    // It was held for longer when its payment began.
    { skip: pledgeId === undefined, refetchOnMountOrArgChange: true },
  );
  return data && formatTime(language, data.pledge.reserved_until);
}
