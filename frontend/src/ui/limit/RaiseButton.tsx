import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import type { Exceeded } from '../../api/limitRefusal';
import { selectIsSignedIn } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { formatMoney } from '../../i18n/format';
import { Button } from '../Button';
import { askToSignIn } from '../signInPrompt';
import { limitFor, type RaiseLimit } from './useRaiseLimit';

export interface RaiseButtonProps {
  exceeded: Exceeded;
  raising: RaiseLimit;
  /** Called first. */
  onPress?: () => void;
  /** What the card is charged at once then, formatted. */
  paying?: string;
  /** In place of what it says. */
  label?: string;
}

/**
 * Raises the limit to what the month needs. Whoever is not signed in is led to the money calendar instead, because the
 * limit belongs to an account, and neither an address nor a mailed link may change it.
 */
export function RaiseButton({ exceeded, raising, onPress, paying, label }: RaiseButtonProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  if (!isSignedIn)
    return (
      <Button component={Link} to={paths.moneyCalendar(language)} onClick={() => dispatch(askToSignIn())}>
        {t('spendingLimit.toCalendar')}
      </Button>
    );
  const limit = formatMoney(language, limitFor(exceeded), { cents: false, currency: exceeded.currency });
  return (
    <Button
      loading={raising.isRunning}
      onClick={() => {
        onPress?.();
        void raising.raise();
      }}
    >
      {label ??
        (paying === undefined
          ? t('spendingLimit.raise', { limit })
          : t('spendingLimit.raiseAndPay', { limit, sum: paying }))}
    </Button>
  );
}
