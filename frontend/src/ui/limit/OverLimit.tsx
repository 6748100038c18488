import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { Exceeded } from '../../api/limitRefusal';
import { selectIsSignedIn } from '../../api/session';
import { useLanguage } from '../../i18n';
import { capital } from '../../i18n/capital';
import { formatMoney } from '../../i18n/format';
import { formatMonthName } from '../../i18n/months';
import { Button } from '../Button';
import { LimitBox } from './LimitBox';
import { RaiseButton } from './RaiseButton';
import { useRaiseLimit } from './useRaiseLimit';

export interface OverLimitProps {
  exceeded: Exceeded;
  /** Makes the refused call again. The box stays until its end; refused again, it has what the refusal says then. */
  onRaised: () => unknown;
  /** What that call charges the card at once, formatted. */
  paying?: string;
  /** What is done instead, such as to choose another amount. */
  leaveLabel: string;
  onLeave: () => void;
}

/** Asked before a press has a month cross the spending limit: raise the limit and go on, or leave it. */
export function OverLimit({ exceeded, onRaised, paying, leaveLabel, onLeave }: OverLimitProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isSignedIn = useSelector(selectIsSignedIn);
  const raising = useRaiseLimit(exceeded, onRaised);
  const { currency, limitMinor, totalMinor, month } = exceeded;
  const money = (minor: number) => formatMoney(language, minor / 100, { cents: true, currency });

  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    title.current?.scrollIntoView({ block: 'center' });
  }, [limitMinor, totalMinor, month]);

  return (
    <LimitBox
      titleRef={title}
      title={capital(
        t('spendingLimit.wouldBe', {
          month: formatMonthName(language, `${month}-01`),
          total: money(totalMinor),
        }),
      )}
      failure={raising.failure}
      choices={
        <>
          <Button variant="transparent" onClick={onLeave}>
            {leaveLabel}
          </Button>
          <RaiseButton exceeded={exceeded} raising={raising} paying={paying} />
        </>
      }
    >
      {t('spendingLimit.yours', { limit: money(limitMinor) })} {!isSignedIn && t('spendingLimit.signIn')}
    </LimitBox>
  );
}
