import { useTranslation } from 'react-i18next';
import { readNow } from '../../api/extra';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useLanguage } from '../../i18n';
import { formatAgo } from '../../i18n/format';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import type { Repeated } from './useOnce';

export interface OnceMoreProps {
  asked: Repeated;
  isMonthly: boolean;
  /** Formats an amount in the major unit. */
  money: (amount: number) => string;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Asks whether the same is to be paid for a second time. */
export function OnceMore({ asked, isMonthly, money, onConfirm, onCancel }: OnceMoreProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const { at, where } = asked;
  const { amount } = asked.order.newPledge;
  const sums = { sum: money(amount), total: money(amount * 2) };
  return (
    <ConfirmDialog
      isOpen
      title={t('pledge.again.title', { ago: formatAgo(language, at, dispatch(readNow())) })}
      confirmLabel={t('pledge.again.confirm', sums)}
      cancelLabel={t('pledge.again.cancel')}
      onConfirm={onConfirm}
      onCancel={onCancel}
      isDestructive={false}
      isSeldomMeant
    >
      <p>
        {where === 'begun'
          ? t('pledge.again.begun', sums)
          : where === 'elsewhere'
            ? t(isMonthly ? 'pledge.again.elsewhereMonthly' : 'pledge.again.elsewhere', sums)
            : t(isMonthly ? 'pledge.again.textMonthly' : 'pledge.again.text', sums)}
      </p>
    </ConfirmDialog>
  );
}
