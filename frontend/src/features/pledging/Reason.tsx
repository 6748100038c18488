import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { formatTime } from '../../i18n/format';
import { AlertCircleIcon } from '../../ui/icons';
import { failureText } from './failureText';
import type { Failure } from './flow/failures';
import { nextStepOf } from './flow/nextSteps';
import classes from './PaySubmit.module.css';

export interface ReasonProps {
  failure: Failure;
  isMonthly: boolean;
  ref: RefObject<HTMLElement | null>;
}

/** Why nothing was paid, and what helps. */
export function Reason({ failure, isMonthly, ref }: ReasonProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const { says } = nextStepOf(failure.error);
  const until = failure.error.status === 'payment_open_at_bank' && failure.error.params?.until;
  const help =
    typeof until === 'string'
      ? t('pledge.openUntil', { time: formatTime(language, until) })
      : says && t(isMonthly && says === 'otherCard' ? 'pledge.monthly.otherCard' : `pledge.next.${says}`);
  return (
    <p ref={ref as RefObject<HTMLParagraphElement>} tabIndex={-1} className={classes.error} role="alert">
      <AlertCircleIcon />
      <span>
        {failureText(failure, t, errorText)} {help}
      </span>
    </p>
  );
}
