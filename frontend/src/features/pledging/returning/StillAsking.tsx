import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { readNow } from '../../../api/extra';
import type { Pledge } from '../../../api/pledging';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { formatClock } from '../../../i18n/format';
import { ClockIcon } from '../../../ui/icons';
import { ReturnLayout } from './ReturnLayout';
import classes from './ReturnLayout.module.css';

export interface StillAskingProps {
  pledge: Pledge;
  /** How often it was asked. */
  polls: number;
  /** It takes long: the page may be left. */
  isLong: boolean;
  /** An account is being debited. */
  isDebit: boolean;
  children?: React.ReactNode;
}

/** The bank has not answered yet. Paying is never offered here. */
export function StillAsking({ pledge, polls, isLong, isDebit, children }: StillAskingProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  // eslint-disable-next-line react-hooks/exhaustive-deps -- when it was asked last
  const at = useMemo(() => dispatch(readNow()), [dispatch, polls]);
  return (
    <ReturnLayout
      pledge={pledge}
      tone="asking"
      icon={<ClockIcon />}
      state={t('paymentReturn.asking.state')}
      title={t('paymentReturn.asking.title')}
      text={t(
        isLong
          ? 'paymentReturn.long'
          : isDebit
            ? 'paymentReturn.debit.debiting'
            : 'paymentReturn.asking.text',
      )}
      ways={children}
    >
      <div className={classes.asking}>
        <div className={classes.bar} aria-hidden="true" />
        <p className={classes.asked}>
          {t('pledge.unknown.asked', { count: polls + 1, time: formatClock(language, at) })}
        </p>
      </div>
    </ReturnLayout>
  );
}
